import { type Effect, Err, Ok, type Operation, type Result } from 'effection';

/** What came of beginning an operation: its outcome, or what is left of it. */
export type Begun<T> = { readonly done: true; readonly result: Result<T> } | UnfinishedBeginning<T>;

/** An operation that stands before its first effect. */
export interface UnfinishedBeginning<T> {
  readonly done: false;
  /** The rest of it; runs once. */
  readonly rest: Operation<T>;
  /** The rest of it, for who steps through it. */
  take(): { readonly steps: CallIterator<T>; readonly made: Step<T> };
  /** Whether somebody took the rest up. One that nobody took up must be closed, or its `finally` blocks never run. */
  taken(): boolean;
  /** Ends it where it stands: runs its `finally` blocks and nothing else. */
  readonly close: Operation<void>;
}

/** The steps of an operation. */
export type CallIterator<T> = Iterator<Effect<unknown>, T, unknown>;

type Step<T> = IteratorResult<Effect<unknown>, T>;

/**
 * Runs an operation up to its first effect, without a task. Nothing before an effect can observe a task, so this is
 * the same run; but most echoes, logs and scripted answers end there, and a task costs more than all they do.
 *
 * @example
 * const begun = begin(() => tool.execute(params, ctx));
 * if (!begun.done) scope.run(() => begun.rest);
 */
export function begin<T>(op: () => Operation<T>): Begun<T> {
  let steps: CallIterator<T>;
  let first: Step<T>;
  try {
    steps = op()[Symbol.iterator]();
    first = steps.next();
  } catch (error) {
    return { done: true, result: Err(error as Error) };
  }
  if (first.done) return { done: true, result: Ok(first.value) };
  return stand(steps, first);
}

/** An operation that stands before an effect. */
export function stand<T>(steps: CallIterator<T>, made: Step<T>): UnfinishedBeginning<T> {
  return new Standing(steps, made);
}

// Classes: an object that says by itself how it is gone through costs several times as much, and there are some in each call.
class Standing<T> implements UnfinishedBeginning<T> {
  readonly done = false;
  readonly #steps: CallIterator<T>;
  readonly #made: Step<T>;
  #taken = false;

  constructor(steps: CallIterator<T>, made: Step<T>) {
    this.#steps = steps;
    this.#made = made;
  }

  taken(): boolean {
    return this.#taken;
  }

  take(): { readonly steps: CallIterator<T>; readonly made: Step<T> } {
    this.#taken = true;
    return { steps: this.#steps, made: this.#made };
  }

  get rest(): Operation<T> {
    return { [Symbol.iterator]: () => this.#resumed() };
  }

  get close(): Operation<void> {
    return { [Symbol.iterator]: () => this.#closed() };
  }

  #resumed(): CallIterator<T> {
    this.#taken = true;
    return resumeAt(this.#steps, this.#made);
  }

  *#closed(): CallIterator<void> {
    this.#taken = true;
    const last = this.#steps.return?.();
    if (last && !last.done) yield* { [Symbol.iterator]: () => resumeAt(this.#steps, last) };
  }
}

/** An iterator that first repeats a step already made. */
export function resumeAt<T>(steps: CallIterator<T>, made: Step<T>): CallIterator<T> {
  let pending: Step<T> | undefined = made;
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
