import {
  type Context,
  type Coroutine,
  type Effect,
  Err,
  Ok,
  type Operation,
  type Result,
  type Scope,
} from 'effection';

/** Ends a wait, whatever came of it; gives a promise where what was halted takes its time to come to rest. */
export type StopWaiting = () => unknown;

/** Begins to wait, here; gives what ends the wait. */
type Waiter<T> = (
  resolve: (value: T) => void,
  reject: (error: Error) => void,
  place: WaitPlace,
) => StopWaiting;

type Settle<T> = (result: Result<T>) => void;

/**
 * An effect that waits for something and for nothing of its task: whoever steps through an operation can perform it, too
 * ({@link goOn}), so that a call which only waits for answers is no task at all.
 */
export class Wait<T> implements Effect<T> {
  readonly description: string;
  readonly #waiter: Waiter<T>;

  constructor(waiter: Waiter<T>, description: string) {
    this.#waiter = waiter;
    this.description = description;
  }

  /** Waits, without a task. */
  begin(settle: Settle<T>, place: WaitPlace): StopWaiting {
    return this.#waiter(
      (value) => settle(Ok(value)),
      (error) => settle({ ok: false, error }),
      place,
    );
  }

  enter(resolve: Settle<T>, { scope }: Coroutine): (discarded: Settle<void>) => void {
    const stop = this.begin(resolve, { scope, own: true });
    return (discarded) => {
      try {
        const stopped = stop();
        if (stopped instanceof Promise)
          stopped.then(
            () => discarded(Ok()),
            (error: Error) => discarded(Err(error)),
          );
        else discarded(Ok());
      } catch (error) {
        discarded(Err(error as Error));
      }
    };
  }
}

/** Where an operation runs. */
export interface WaitPlace {
  readonly scope: Scope;
  /** Whether the scope is that of its own task: it ends with the operation. */
  readonly own: boolean;
  /** Puts in the contexts that it runs in over those of the scope, where there are any. */
  readonly contexts?: (into: ContextPlace) => void;
}

/** An effect that asks where it runs. */
export class Here implements Effect<WaitPlace> {
  readonly description = 'here()';

  enter(resolve: Settle<WaitPlace>, { scope }: Coroutine): (discarded: Settle<void>) => void {
    resolve(Ok({ scope, own: true }));
    return (discarded) => discarded(Ok());
  }
}

/** What contexts are put into: a scope, or what stands for one that there is not yet. */
export type ContextPlace = Pick<Scope, 'set'>;

/** An effect that asks what a context is where it runs. */
export class ContextHere<T> implements Effect<T | undefined> {
  readonly #context: Context<T>;

  constructor(context: Context<T>) {
    this.#context = context;
  }

  get description(): string {
    return `contextHere(${this.#context.name})`;
  }

  /** What it is without a task: as in a scope, unless `put` puts another value over that. */
  read(scope: Scope, put?: (into: ContextPlace) => void): T | undefined {
    let value: unknown = scope.get(this.#context);
    const { name } = this.#context;
    put?.({
      set(context, given) {
        if (context.name === name) value = given;
        return given;
      },
    });
    // Only a context of this name is read, and its values are of one type.
    return value as T | undefined;
  }

  enter(resolve: Settle<T | undefined>, { scope }: Coroutine): (discarded: Settle<void>) => void {
    resolve(Ok(scope.get(this.#context)));
    return (discarded) => discarded(Ok());
  }
}

/** An effect that puts contexts in where it runs. */
export class PutContexts implements Effect<void> {
  readonly description = 'putContexts()';
  readonly put: (into: ContextPlace) => void;

  constructor(put: (into: ContextPlace) => void) {
    this.put = put;
  }

  enter(resolve: Settle<void>, { scope }: Coroutine): (discarded: Settle<void>) => void {
    this.put(scope);
    resolve(Ok());
    return (discarded) => discarded(Ok());
  }
}

/** An operation that is one effect and what comes of it. Several are in each call, and a generator costs more than they do. */
class Once<T> implements Operation<T>, Iterator<Effect<unknown>, T, unknown> {
  #effect: Effect<T> | undefined;

  constructor(effect: Effect<T>) {
    this.#effect = effect;
  }

  [Symbol.iterator](): this {
    return this;
  }

  next(given: unknown): IteratorResult<Effect<unknown>, T> {
    const effect = this.#effect;
    if (!effect) return { done: true, value: given as T };
    this.#effect = undefined;
    return { done: false, value: effect };
  }

  throw(error: unknown): never {
    this.#effect = undefined;
    throw error;
  }

  return(value: unknown): IteratorResult<Effect<unknown>, T> {
    this.#effect = undefined;
    return { done: true, value: value as T };
  }
}

/** As Effection's `action`, for an operation that may have no task. */
export function wait<T>(waiter: Waiter<T>, description: string): Operation<T> {
  return new Once(new Wait(waiter, description));
}

/** As Effection's `until`, for an operation that may have no task. */
export function waitFor<T>(promise: Promise<T>, description = 'promise'): Operation<T> {
  return wait((resolve, reject) => {
    promise.then(resolve, reject);
    return () => {};
  }, description);
}

/** Where the operation runs: in its own scope, or while it has no task in the one that it was begun for. */
export function here(): Operation<WaitPlace> {
  return new Once(HERE);
}

const HERE = new Here();

/** As a context's own `get`, for an operation that may have no task. */
export function contextHere<T>(context: Context<T>): Operation<T | undefined> {
  return new Once(new ContextHere(context));
}

/** As the contexts' own `set`, for an operation that may have no task. */
export function putContexts(put: (into: ContextPlace) => void): Operation<void> {
  return new Once(new PutContexts(put));
}

/** Puts some contexts in over others. */
export function contextsAbove(
  below: ((into: ContextPlace) => void) | undefined,
  above: (into: ContextPlace) => void,
): (into: ContextPlace) => void {
  if (!below) return above;
  return (into) => {
    below(into);
    above(into);
  };
}
