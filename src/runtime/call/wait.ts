import { type Coroutine, type Effect, Err, Ok, type Operation, type Result, type Scope } from 'effection';

/** Begins to wait; gives what ends the wait, whatever comes of it. */
type Waiter<T> = (resolve: (value: T) => void, reject: (error: Error) => void) => () => void;

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
  begin(settle: Settle<T>): () => void {
    return this.#waiter(
      (value) => settle(Ok(value)),
      (error) => settle({ ok: false, error }),
    );
  }

  enter(resolve: Settle<T>): (discarded: Settle<void>) => void {
    const stop = this.begin(resolve);
    return (discarded) => {
      try {
        stop();
        discarded(Ok());
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
}

/** An effect that asks where it runs. */
export class Here implements Effect<WaitPlace> {
  readonly description = 'here()';

  enter(resolve: Settle<WaitPlace>, { scope }: Coroutine): (discarded: Settle<void>) => void {
    resolve(Ok({ scope, own: true }));
    return (discarded) => discarded(Ok());
  }
}

/** As Effection's `action`, for an operation that may have no task. */
export function* wait<T>(waiter: Waiter<T>, description: string): Operation<T> {
  return (yield new Wait(waiter, description)) as T;
}

/** As Effection's `until`, for an operation that may have no task. */
export function waitFor<T>(promise: Promise<T>, description = 'promise'): Operation<T> {
  return wait((resolve, reject) => {
    promise.then(resolve, reject);
    return () => {};
  }, description);
}

/** Where the operation runs: in its own scope, or while it has no task in the one that it was begun for. */
export function* here(): Operation<WaitPlace> {
  return (yield new Here()) as WaitPlace;
}
