import { type Effect, Err, Ok, type Operation, type Result, type Scope } from 'effection';

/** What came of beginning an operation: its outcome, or what is left of it. */
export type Begun<T> = { readonly done: true; readonly result: Result<T> } | Unfinished<T>;

/** An operation that stands before its first effect. */
export interface Unfinished<T> {
  readonly done: false;
  /** The rest of it; runs once. */
  readonly rest: Operation<T>;
  /** Whether somebody took the rest up. One that nobody took up must be closed, or its `finally` blocks never run. */
  taken(): boolean;
  /** Ends it where it stands: runs its `finally` blocks and nothing else. */
  readonly close: Operation<void>;
}

type Steps<T> = Iterator<Effect<unknown>, T, unknown>;

/**
 * Runs an operation up to its first effect, without a task. Nothing before an effect can observe a task, so this is
 * the same run; but most echoes, logs and scripted answers end there, and a task costs more than all they do.
 *
 * @example
 * const begun = begin(() => tool.execute(params, ctx));
 * if (!begun.done) scope.run(() => begun.rest);
 */
export function begin<T>(op: () => Operation<T>): Begun<T> {
  let steps: Steps<T>;
  let first: IteratorResult<Effect<unknown>, T>;
  try {
    steps = op()[Symbol.iterator]();
    first = steps.next();
  } catch (error) {
    return { done: true, result: Err(error as Error) };
  }
  if (first.done) return { done: true, result: Ok(first.value) };

  let taken = false;
  return {
    done: false,
    taken: () => taken,
    rest: {
      [Symbol.iterator]() {
        taken = true;
        return resumeAt(steps, first);
      },
    },
    close: {
      *[Symbol.iterator]() {
        taken = true;
        const last = steps.return?.();
        if (last && !last.done) yield* { [Symbol.iterator]: () => resumeAt(steps, last) };
      },
    },
  };
}

/**
 * Runs an operation in a scope, for who is no operation itself. Most calls are over before their first effect: a task for
 * each would cost more than they do.
 */
export async function runIn<T>(scope: Scope, op: () => Operation<T>): Promise<T> {
  const begun = begin(op);
  if (!begun.done) return await scope.run(() => begun.rest);
  if (begun.result.ok) return begun.result.value;
  throw begun.result.error;
}

/** An iterator that first repeats a step already made. */
function resumeAt<T>(steps: Steps<T>, made: IteratorResult<Effect<unknown>, T>): Steps<T> {
  let pending: IteratorResult<Effect<unknown>, T> | undefined = made;
  return {
    next(value) {
      if (pending) {
        const step = pending;
        pending = undefined;
        return step;
      }
      return steps.next(value);
    },
    throw(error) {
      pending = undefined;
      if (steps.throw) return steps.throw(error);
      throw error;
    },
    return(value) {
      pending = undefined;
      return steps.return ? steps.return(value) : { done: true, value: value as T };
    },
  };
}
