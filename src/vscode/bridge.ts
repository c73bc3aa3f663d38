/**
 * The one place where VS Code's ways of ending things (disposables, tokens, events, thenables) meet Effection's (scopes).
 * Nothing else in this folder converts between the two. Types only: it runs without an editor, in unit tests.
 */
import type { Operation, Scope, Stream } from 'effection';
import { action, createSignal, resource, scoped, spawn, suspend, until, withResolvers } from 'effection';
import type { CancellationToken, CancellationTokenSource, Event } from 'vscode';

/** Anything VS Code wants disposed. */
export interface DisposableLike {
  dispose(): unknown;
}

/** A thenable as an operation. Halting stops waiting; it does not stop what the thenable stands for. */
export function fromThenable<T>(thenable: PromiseLike<T>): Operation<T> {
  return until(Promise.resolve(thenable));
}

/** Makes a disposable whose life is the caller's: disposed when that ends, however it ends. */
export function useDisposable<T extends DisposableLike>(make: () => T): Operation<T> {
  return resource(function* (provide) {
    const disposable = make();
    try {
      yield* provide(disposable);
    } finally {
      disposable.dispose();
    }
  });
}

/** Listens for as long as the caller lives. The listener runs synchronously, in VS Code's own call. */
export function* useListener<T>(event: Event<T>, listener: (value: T) => void): Operation<void> {
  yield* useDisposable(() => event(listener));
}

/** Keeps up a subscription of our own kind (it returns what stops it) for as long as the caller lives. */
export function* useSubscription(subscribe: () => () => void): Operation<void> {
  yield* useDisposable(() => ({ dispose: subscribe() }));
}

/** The next value of an event that passes `accept`. */
export function nextOf<T>(event: Event<T>, accept: (value: T) => boolean = () => true): Operation<T> {
  return action((resolve, reject) => {
    const subscription = event((value) => {
      try {
        if (accept(value)) resolve(value);
      } catch (error) {
        reject(error instanceof Error ? error : new Error(String(error)));
      }
    });
    return () => subscription.dispose();
  });
}

/** An event as a stream. Values are buffered for a subscriber from the moment it subscribes; use it for rare events. */
export function streamOf<T>(event: Event<T>): Stream<T, never> {
  return resource(function* (provide) {
    const signal = createSignal<T, never>();
    const subscription = yield* signal;
    yield* useListener(event, signal.send);
    yield* provide(subscription);
  });
}

/** Returns when the token is cancelled; never, when it is not. */
export function untilCancelled(token: CancellationToken): Operation<void> {
  return action((resolve) => {
    if (token.isCancellationRequested) resolve();
    const subscription = token.onCancellationRequested(() => resolve());
    return () => subscription.dispose();
  });
}

/** A token that is cancelled when the caller ends, for APIs that take one. Pass `vscode.CancellationTokenSource`. */
export function useCancellation(Source: new () => CancellationTokenSource): Operation<CancellationToken> {
  return resource(function* (provide) {
    const source = new Source();
    try {
      yield* provide(source.token);
    } finally {
      source.cancel();
      source.dispose();
    }
  });
}

/** What became of an operation that was run from outside. */
export type Outcome<T> =
  | { readonly type: 'done'; readonly value: T }
  | { readonly type: 'failed'; readonly error: unknown }
  | { readonly type: 'halted' };

/** An operation that was started from outside. `outcome` never rejects, so nobody has to catch. */
export interface Run<T> {
  readonly outcome: Promise<Outcome<T>>;
  /** Halts it; resolves when its cleanup is done. */
  halt(): Promise<void>;
}

/**
 * Runs an operation as a child of `scope` from a callback. A failure stays in the outcome: it neither goes unnoticed,
 * as a bare `scope.run` does at the top, nor kills the owner, as it does below.
 */
export function start<T>(scope: Scope, operation: () => Operation<T>): Run<T> {
  const task = scope.run(function* (): Operation<Outcome<T>> {
    try {
      return { type: 'done', value: yield* scoped(operation) };
    } catch (error) {
      return { type: 'failed', error };
    }
  });
  return {
    outcome: task.then(
      (outcome) => outcome,
      () => ({ type: 'halted' as const }),
    ),
    halt: async () => {
      await task.halt();
    },
  };
}

/** Where VS Code calls in: commands, listeners, providers. Everything started here is a child of one scope. */
export interface Edge {
  /** Starts and forgets; a failure is reported under `what`, unless VS Code cancelled what was asked of it. */
  fork(what: string, operation: () => Operation<unknown>): Run<unknown>;
  /** A promise for VS Code: rejects with the failure, or with {@link HaltedError} when it was halted. */
  promise<T>(operation: () => Operation<T>, token?: CancellationToken): Promise<T>;
  /** Calls a listener that must not throw into VS Code; a throw is reported under `what`. */
  guard<A extends unknown[]>(what: string, listener: (...args: A) => void): (...args: A) => void;
}

/** The operation behind a promise was halted: its call was cancelled or the extension is shutting down. */
export class HaltedError extends Error {
  override readonly name = 'Canceled';

  constructor() {
    super('Canceled');
  }
}

/** What VS Code rejects with when it ends a request, as it does with all of them when a window closes. */
export function isCancellation(error: unknown): boolean {
  return error instanceof Error && error.name === 'Canceled';
}

/** The edge of `scope`. `report` gets what failed and why, and must not throw. */
export function createEdge(scope: Scope, report: (what: string, error: unknown) => void): Edge {
  return {
    fork(what, operation) {
      const run = start(scope, operation);
      void run.outcome.then((outcome) => {
        if (outcome.type === 'failed' && !isCancellation(outcome.error)) report(what, outcome.error);
      });
      return run;
    },
    async promise(operation, token) {
      if (token?.isCancellationRequested) throw new HaltedError();
      const run = start(scope, operation);
      const subscription = token?.onCancellationRequested(() => void run.halt());
      try {
        const outcome = await run.outcome;
        if (outcome.type === 'done') return outcome.value;
        throw outcome.type === 'failed' ? outcome.error : new HaltedError();
      } finally {
        subscription?.dispose();
      }
    },
    guard(what, listener) {
      return (...args) => {
        try {
          listener(...args);
        } catch (error) {
          report(what, error);
        }
      };
    },
  };
}

/**
 * An error boundary with a life of its own: runs `setup` in a scope of its own and keeps that alive. Returns when
 * setup is done or has failed. When it or a child of it fails, then or later, that scope alone is torn down and
 * `report` hears of it.
 */
export function* useBoundary(
  setup: () => Operation<unknown>,
  report: (error: unknown) => void,
): Operation<void> {
  const ready = withResolvers<void>();
  yield* spawn(function* () {
    try {
      yield* scoped(function* () {
        yield* setup();
        ready.resolve();
        yield* suspend();
      });
    } catch (error) {
      report(error);
    } finally {
      ready.resolve();
    }
  });
  yield* ready.operation;
}
