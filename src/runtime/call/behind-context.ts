import type { Call } from './call.ts';
import type { Frame } from './frame.ts';

/** The call behind a tool's context, for a tool whose code is somewhere else and so needs more than the verbs. */
export interface BehindContext {
  readonly call: Call;
  readonly frame: Frame;
  /** The tools between the call and the one that the context is for, which is the last; absent for the call's own. */
  readonly path?: readonly string[];
  /** The parsed parameters of the tool that the context is for. */
  readonly params: unknown;
}

const known = new WeakMap<object, BehindContext>();

/** Says what stands behind a context. */
export function standBehind(ctx: object, behind: BehindContext): void {
  known.set(ctx, behind);
}

/** What stands behind a context; nothing for one that was made up. */
export function behindContext(ctx: object): BehindContext | undefined {
  return known.get(ctx);
}
