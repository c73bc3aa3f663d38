import type { Call } from './call.ts';
import type { Frame } from './frame.ts';

/** The call behind a tool's context, for a tool whose code is somewhere else and so needs more than the verbs. */
export interface BehindContext {
  readonly call: Call;
  readonly frame: Frame;
  /** Stands before the keys of elicitations: a tool that runs inside another's call asks under a name of its own. */
  readonly prefix: string;
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

/** Lends what stands behind a context to another one that was made from it. */
export function lendBehind(borrowed: object, from: object, prefix: string): void {
  const behind = known.get(from);
  if (behind) standBehind(borrowed, { ...behind, prefix: `${behind.prefix}${prefix}` });
}
