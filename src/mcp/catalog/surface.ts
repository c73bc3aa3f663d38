import type { Operation } from 'effection';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Caller } from '../caller.ts';
import type { Index, Served } from './catalog.ts';

/** When a catalogue is shown as a few tools that search it. */
export interface SurfaceOptions {
  /** Catalogues with at most so many tools are listed as they are; 0 by default. */
  readonly above?: number;
  /** Asked before a tool that is not read-only runs inside `run_tool` or `run_chain`; all may run by default. */
  readonly approve?: Approve;
  /** Code mode, as it is now: then the catalogue is three tools, whatever its size, and code is what runs the others. */
  readonly code?: (() => CodeSurface | undefined) | undefined;
  /** Whether the catalogue is used by code `alone`, the default, or the five tools that search and run it are there `beside`. */
  readonly withCode?: 'alone' | 'beside';
  /** Called before each tool that a client calls, by its name or through another, where tools change while they are served. */
  readonly catchUp?: CatchUp;
}

/**
 * Puts a tool in place as it is to be called now: it may have been written a moment ago. Gives what whoever calls it should know of
 * the version that runs, if anything. @throws what the call fails with
 */
export type CatchUp = (toolName: string) => Operation<string | undefined>;

/** A catalogue that is used by code. */
export interface CodeSurface {
  /** The tool that runs code, which calls these tools by name. */
  tool(tools: { get(name: string): Served | undefined; readonly catchUp?: CatchUp }): Served;
  /** What code has to know of a tool, in TypeScript. */
  declare(tool: AnyTool): string;
}

/** Whether a tool may run inside another one's call. False is told to whoever called, as the user's word. */
export type Approve = (inner: InnerCall) => Operation<boolean>;

/** A tool that is about to run inside a call. */
export interface InnerCall {
  /** The call that it is a part of. */
  readonly session: Session;
  readonly tool: AnyTool;
  /** Parsed. */
  readonly params: unknown;
}

/** What runs when a caller calls a tool by name. */
export interface ResolvedTool {
  readonly served: Served;
  readonly args: unknown;
}

/** Which tools a caller sees, and what runs under which name. */
export interface Surface {
  listed(caller: Caller): Index<Served>;
  /** Catches up with what a call runs; nothing where tools stay as they are. */
  catchUp?(caller: Caller, name: string, args: unknown): Operation<string | undefined>;
  /** `undefined` for a name that this caller has no tool of. */
  resolve(caller: Caller, name: string, args: unknown): ResolvedTool | undefined;
}
