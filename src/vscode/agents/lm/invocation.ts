import type { AnyTool } from '../../../core/tool/tool.ts';
import { onlyReads } from '../../../runtime/policy/only-reads.ts';

/**
 * Whether a person is asked before a model's call of this tool runs. `readOnlyHint` is what the tool's author claims; it is
 * believed, as the editor believes it, because the author's code runs here anyway: to trust the folder is to trust that code.
 * {@link onlyReads} says of which it is not.
 */
export function needsConfirmation(tool: AnyTool): boolean {
  return !onlyReads(tool);
}

/** The names of the tools that a manifest declares; nothing of the tools themselves has to be loaded for that. */
export function declaredTools(packageJson: unknown): readonly string[] {
  const { contributes } = packageJson as {
    readonly contributes?: { readonly languageModelTools?: ReadonlyArray<{ readonly name: string }> };
  };
  return (contributes?.languageModelTools ?? []).map(({ name }) => name);
}
