/**
 * Straight-line functions as handlers in somebody else's MCP server.
 *
 * @packageDocumentation
 */

export type { InlineRequest } from './hosts.ts';
export { type InlineOptions, inline, type Straight, type VerifyState } from './inline.ts';
export type { StraightContext, StraightHandler, StraightResult } from './straight.ts';
