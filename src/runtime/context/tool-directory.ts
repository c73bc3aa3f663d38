import type { Offer } from '../../core/plugin/offer.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { callContext } from '../../core/world/call-context.ts';

/**
 * Finds the tool that a tool calls. `given` is the one that it calls by itself rather than by name: a test may put another in
 * its place. `principal` is whose call it is, `''` where nobody said.
 */
export interface ToolDirectory {
  (name: string, given: Offer | undefined, principal: string): Offer | undefined;
  /** All that it finds, as tools call them: to say what was probably meant. */
  readonly names?: (principal: string) => readonly string[];
}

/** The name that a tool calls a tool by. */
export function calledName({ name, def: { foreign } }: AnyTool): string {
  return foreign ? `${foreign.server}/${foreign.tool}` : name;
}

/** The tools that `ctx.call` finds by name: set by whoever runs calls. */
export const ToolDirectoryContext = callContext<ToolDirectory>('parley.tool-directory');
