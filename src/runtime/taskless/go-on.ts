import { type Effect, Ok, type Operation, type Result, type Scope } from 'effection';
import { type CallIterator, resumeAt, stand, type UnfinishedBeginning } from './begin.ts';
import {
  ContextHere,
  type ContextPlace,
  contextsAbove,
  Here,
  PutContexts,
  type StopWaiting,
  Wait,
  type WaitPlace,
} from './wait.ts';

/** What becomes of an operation that goes on without a task. Exactly one of these is called, once. */
export interface Way<T> {
  /** What it sees as the scope that it runs in. */
  readonly scope: Scope;
  /** Puts in the contexts that it runs in over those of that scope. */
  readonly contexts?: (into: ContextPlace) => void;
  /** It has ended by itself. */
  over(result: Result<T>): void;
  /** It is about to do what only a task can: the rest of it is for one. */
  needsTask(rest: UnfinishedBeginning<T>): void;
  /** It was halted. `cleanup` is what is left to do for that, if anything is. */
  halted(cleanup: Operation<void> | undefined): void;
}

/** An operation that goes on without a task. */
export interface Going {
  /** Halts it; does nothing when it is over, or a task's. */
  halt(): void;
}

/**
 * Goes on with an operation that has begun, without a task for as long as it only waits ({@link wait}): most calls and
 * requests never do anything else, and a task costs ten kilobytes and more time than all they do. The first effect that
 * is of another kind hands the rest over.
 *
 * It goes on in a microtask of its own, never on the stack of whoever gave it what it waited for.
 */
export function goOn<T>(begun: UnfinishedBeginning<T>, way: Way<T>): Going {
  return new Walk(begun.take(), way);
}

class Walk<T> implements Going {
  readonly #steps: CallIterator<T>;
  readonly #way: Way<T>;
  /** Ends the wait that it stands at. */
  #stop: StopWaiting | undefined;
  #given: Result<unknown> | undefined;
  /** Its own code is on the stack. */
  #running = false;
  #halted = false;
  #over = false;
  /** The contexts that it has put in itself. */
  #put: ((into: ContextPlace) => void) | undefined;

  constructor(
    { steps, made }: { steps: CallIterator<T>; made: IteratorResult<Effect<unknown>, T> },
    way: Way<T>,
  ) {
    this.#steps = steps;
    this.#way = way;
    this.#stand(made);
  }

  halt(): void {
    if (this.#over || this.#halted) return;
    this.#halted = true;
    if (this.#running) return;
    const left = this.#leave();
    if (left) left.then(() => this.#close());
    else this.#close();
  }

  /** It has come to an effect, or to its end. */
  #stand(made: IteratorResult<Effect<unknown>, T>): void {
    let step = made;
    while (!step.done) {
      const known = this.#known(step.value);
      if (!known) break;
      const next = this.#next(known);
      if (!next) return;
      step = next;
    }
    if (step.done) this.#end(Ok(step.value));
    else if (this.#halted) this.#close();
    else if (step.value instanceof Wait) this.#wait(step.value);
    else {
      this.#over = true;
      this.#way.needsTask(this.#left<T>(step));
    }
  }

  /** What an effect gives at once that asks where it runs; nothing for any other. */
  #known(effect: Effect<unknown>): Result<unknown> | undefined {
    if (effect instanceof Here) return Ok(this.#place());
    if (effect instanceof ContextHere) return Ok(effect.read(this.#way.scope, this.#contexts()));
    if (!(effect instanceof PutContexts)) return undefined;
    this.#put = contextsAbove(this.#put, effect.put);
    return Ok();
  }

  #place(): WaitPlace {
    const contexts = this.#contexts();
    return { scope: this.#way.scope, own: false, ...(contexts && { contexts }) };
  }

  #contexts(): ((into: ContextPlace) => void) | undefined {
    return this.#put ? contextsAbove(this.#way.contexts, this.#put) : this.#way.contexts;
  }

  /** What is left from a step on, for a task: with the contexts that were put in. */
  #left<R>(step: IteratorResult<Effect<unknown>, R>): UnfinishedBeginning<R> {
    const steps = this.#steps as CallIterator<never>;
    if (!this.#put) return stand<R>(steps, step);
    return stand(resumeAt<R>(steps, step), { done: false, value: new PutContexts(this.#put) });
  }

  #wait(effect: Wait<unknown>): void {
    let open = true;
    const settle = (result: Result<unknown>) => {
      if (!open || this.#over || this.#halted) return;
      open = false;
      this.#given = result;
      const left = this.#leave();
      if (left) left.then(this.#turn);
      else queueMicrotask(this.#turn);
    };
    try {
      const stop = effect.begin(settle, this.#place());
      // It may have been given something already, or been halted by what it waits for.
      if (open && !this.#over) this.#stop = stop;
      else stop();
    } catch (error) {
      settle(failure(error));
    }
  }

  /** Ends the wait that it stands at; a promise, which never fails, where that takes its time. */
  #leave(): Promise<unknown> | undefined {
    const stop = this.#stop;
    this.#stop = undefined;
    const failed = (error: unknown) => {
      this.#given = failure(error);
    };
    try {
      const stopped = stop?.();
      return stopped instanceof Promise ? stopped.catch(failed) : undefined;
    } catch (error) {
      failed(error);
      return undefined;
    }
  }

  readonly #turn = (): void => {
    const given = this.#given;
    this.#given = undefined;
    if (this.#over || this.#halted || !given) return;
    const step = this.#next(given);
    if (step) this.#stand(step);
  };

  /** The next step; nothing when that failed. */
  #next(given: Result<unknown>): IteratorResult<Effect<unknown>, T> | undefined {
    this.#running = true;
    try {
      if (given.ok) return this.#steps.next(given.value);
      if (this.#steps.throw) return this.#steps.throw(given.error);
      throw given.error;
    } catch (error) {
      this.#end(failure(error));
      return undefined;
    } finally {
      this.#running = false;
    }
  }

  #end(result: Result<T>): void {
    this.#over = true;
    this.#way.over(result);
  }

  #close(): void {
    this.#over = true;
    let last: IteratorResult<Effect<unknown>, T> | undefined;
    try {
      last = this.#steps.return?.();
    } catch (error) {
      this.#way.halted(failing(error));
      return;
    }
    this.#way.halted(last && !last.done ? discarded(this.#left(last).rest) : undefined);
  }
}

/** What was thrown, as it was thrown. */
function failure(error: unknown): Result<never> {
  return { ok: false, error: error as Error };
}

function* discarded(op: Operation<unknown>): Operation<void> {
  yield* op;
}

function* failing(error: unknown): Operation<void> {
  throw error;
}
