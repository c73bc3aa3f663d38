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

/**
 * A context that a call may stand behind. A private field, and no `WeakMap`: a map that outlives many short calls keeps
 * each of them from dying young.
 */
export class Backed {
  #behind: BehindContext | undefined;

  static put(ctx: object, behind: BehindContext): void {
    if (#behind in ctx) ctx.#behind = behind;
  }

  static of(ctx: object): BehindContext | undefined {
    return #behind in ctx ? ctx.#behind : undefined;
  }
}

/** Says what stands behind a context. */
export function standBehind(ctx: object, behind: BehindContext): void {
  Backed.put(ctx, behind);
}

/** What stands behind a context; nothing for one that was made up. */
export function behindContext(ctx: object): BehindContext | undefined {
  return Backed.of(ctx);
}
