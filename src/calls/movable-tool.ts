import type { AnyTool } from '../core/tool/tool.ts';

/** Whether a call of this tool can be taken up from its journal without anybody deciding that. */
export function isMovable({ def }: AnyTool): boolean {
  return def.durable !== undefined || def.annotations.readOnlyHint === true;
}
