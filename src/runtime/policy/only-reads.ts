import type { AnyTool } from '../../core/tool/tool.ts';

/**
 * Whether a call of a tool runs without a person being asked first. `readOnlyHint` is what the tool's author claims. It is not
 * believed of a tool that says itself that it changes something in the editor.
 */
export function onlyReads({ def }: AnyTool): boolean {
  return def.annotations.readOnlyHint === true && def.requires.editor !== true;
}
