import type { Call } from './call.ts';
import type { Frame } from './frame.ts';

/** The call behind a tool's context, for a tool whose code is somewhere else and so needs more than the verbs. */
export interface BehindContext {
  readonly call: Call;
  readonly frame: Frame;
  /** Stands before the keys of elicitations: a tool that runs inside another's call asks under a name of its own. */
  readonly prefix: string;
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
