import { action, Err, Ok, type Operation, type Result, type Scope, type Task, useScope } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { UnfinishedBeginning } from '../taskless/begin.ts';
import { type Going, goOn } from '../taskless/go-on.ts';
import type { ContextPlace } from '../taskless/wait.ts';
import type { TimeSource } from '../time/machine-clock.ts';

/** What an ending needs of the call and of where it lives. */
export interface EndingCall {
  readonly scope: Scope;
  readonly time: TimeSource;
  readonly cleanupGrace: number;
  diagnose(message: string, cause?: unknown): void;
  /** The code has come to rest. */
  rested(): void;
}

/**
 * How a call's code comes to rest. It runs without a task while it only waits, then in one of its own; halting runs its
 * cleanup, and whoever waits for that waits no longer than the grace, after which the cleanup is reported as stuck.
 */
export class Ending {
  readonly #call: EndingCall;
  #going: Going | undefined;
  #task: Task<unknown> | undefined;
  #isTask = false;
  #halting = false;
  #state: 'up' | 'stuck' | 'down' = 'up';
  #waiting: Set<() => void> | undefined;
  #stopGrace: (() => void) | undefined;

  constructor(call: EndingCall) {
    this.#call = call;
  }

  /** Runs the rest of the call's code. When the call has been halted meanwhile, only its cleanup runs. */
  adopt<T>(
    begun: UnfinishedBeginning<T>,
    prepare: (into: ContextPlace) => void,
    settled: (result: Result<T>) => void,
  ): void {
    if (this.#halting) {
      this.#close(begun, prepare);
      return;
    }
    const rest = (result: Result<T>) => {
      settled(result);
      this.down();
    };
    const going = goOn(begun, {
      scope: this.#call.scope,
      contexts: prepare,
      // Behind whoever waited for what its code was given last: it may be taken back yet.
      over: (result) => queueMicrotask(() => rest(result.ok ? result : Err(toError(result.error)))),
      needsTask: (left) => this.#runTask(left, prepare, settled),
      halted: (cleanup) => (cleanup ? this.#cleanUp(cleanup, prepare) : this.down()),
    });
    this.#going = going;
    // Its own code may have halted it just now.
    if (this.#halting) going.halt();
  }

  #runTask<T>(
    begun: UnfinishedBeginning<T>,
    prepare: (into: ContextPlace) => void,
    settled: (result: Result<T>) => void,
  ): void {
    const task = this.#call.scope.run(function* () {
      prepare(yield* useScope());
      return yield* begun.rest;
    });
    this.#task = task;
    this.#isTask = true;
    const rest = (result: Result<T>) => {
      settled(result);
      if (begun.taken()) this.down();
      else this.#catchUp(begun, prepare);
    };
    task.then(
      (value) => rest(Ok(value)),
      (error: unknown) => rest(Err(toError(error))),
    );
  }

  /** Whether the code does more than wait, or has. */
  get isTask(): boolean {
    return this.#isTask;
  }

  /** Halts the call's code; does nothing the second time. */
  halt(): void {
    if (this.#halting || this.#state !== 'up') return;
    this.#halting = true;
    this.#stopGrace = this.#call.time.startTimer(this.#call.cleanupGrace, () => {
      this.#stopGrace = undefined;
      this.#call.diagnose(`cleanup is stuck: it has taken more than ${this.#call.cleanupGrace} ms`);
      this.#release('stuck');
    });
    this.#going?.halt();
    this.#task?.halt().catch((error: unknown) => this.#call.diagnose('cleanup failed', error));
  }

  /** The code has come to rest. */
  down(): void {
    this.#stopGrace?.();
    this.#stopGrace = undefined;
    // First, for whoever waits for this may begin the code again at once.
    this.#call.rested();
    this.#release('down');
  }

  /** `stuck` unless the code has come to rest. */
  get outcome(): 'down' | 'stuck' {
    return this.#state === 'down' ? 'down' : 'stuck';
  }

  /** Resolves when the code has come to rest, or is stuck. */
  *wait(): Operation<'down' | 'stuck'> {
    if (this.#state !== 'up') return this.outcome;
    yield* action<void>((resolve) => {
      if (this.#state !== 'up') {
        resolve();
        return () => {};
      }
      this.#waiting ??= new Set();
      const waiting = this.#waiting.add(resolve);
      return () => waiting.delete(resolve);
    }, 'cleanup of a call');
    return this.outcome;
  }

  /**
   * Halts code whose task was halted before its first step, as it would have been a moment later: at its first wait. Where it
   * stands, what it has opened may wait for the very `ensure` that closes it.
   */
  #catchUp(begun: UnfinishedBeginning<unknown>, prepare: (into: ContextPlace) => void): void {
    let halted = false;
    const task = this.#call.scope.run(function* () {
      prepare(yield* useScope());
      try {
        yield* begun.rest;
      } catch (error) {
        // What it comes to by itself no longer counts.
        if (halted) throw error;
      }
    });
    task.catch(() => {});
    queueMicrotask(() => {
      halted = true;
      task.halt().then(
        () => this.down(),
        (error: unknown) => this.#cleanupFailed(error),
      );
    });
  }

  #cleanupFailed(error: unknown): void {
    this.#call.diagnose('cleanup failed', error);
    this.down();
  }

  #close(begun: UnfinishedBeginning<unknown>, prepare: (into: ContextPlace) => void): void {
    this.#cleanUp(begun.close, prepare);
  }

  #cleanUp(cleanup: Operation<void>, prepare: (into: ContextPlace) => void): void {
    this.#call.scope
      .run(function* () {
        prepare(yield* useScope());
        yield* cleanup;
      })
      .then(
        () => this.down(),
        (error: unknown) => this.#cleanupFailed(error),
      );
  }

  #release(state: 'stuck' | 'down'): void {
    this.#state = state;
    if (state === 'down') {
      // The call may be kept for long; what its code had is not.
      this.#going = undefined;
      this.#task = undefined;
    }
    for (const resolve of [...(this.#waiting ?? [])]) resolve();
  }
}
