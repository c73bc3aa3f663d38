import type { AnyTool } from '../../core/tool/tool.ts';

const standIns = new WeakSet<AnyTool>();

/** Says of a tool that its code is in another realm. */
export function markStandIn(tool: AnyTool): void {
  standIns.add(tool);
}

/** Whether a tool's code is in another realm: nothing that it does keeps this thread busy. */
export function isStandIn(tool: AnyTool): boolean {
  return standIns.has(tool);
}
