import type { Offer } from '../../core/plugin/offer.ts';
import { callContext } from '../../core/world/call-context.ts';

/**
 * Finds the tool that a tool calls. `given` is the one that it calls by itself rather than by name: a test may put another in
 * its place. `principal` is whose call it is, `''` where nobody said.
 */
export type ToolDirectory = (name: string, given: Offer | undefined, principal: string) => Offer | undefined;

/** The tools that `ctx.call` finds by name: set by whoever runs calls. */
export const ToolDirectoryContext = callContext<ToolDirectory>('parley.tool-directory');
