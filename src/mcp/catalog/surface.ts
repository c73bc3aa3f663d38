import type { Caller } from '../caller.ts';
import type { Index, Served } from './catalog.ts';

/** When a catalogue is shown as a few tools that search it. */
export interface SurfaceOptions {
  /** Catalogues with at most so many tools are listed as they are; 0 by default. */
  readonly above?: number;
}

/** What runs when a caller calls a tool by name. */
export interface ResolvedTool {
  readonly served: Served;
  readonly args: unknown;
}

/** Which tools a caller sees, and what runs under which name. */
export interface Surface {
  listed(caller: Caller): Index<Served>;
  /** `undefined` for a name that this caller has no tool of. */
  resolve(caller: Caller, name: string, args: unknown): ResolvedTool | undefined;
}
