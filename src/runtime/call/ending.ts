import { action, Err, type Operation, type Result, type Scope, useScope } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import { type Started, startIn } from './start-in.ts';

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
 * How a call's code comes to rest. It runs in a task of its own; halting runs its cleanup, and whoever waits for that waits no longer than
 * the grace, after which the cleanup is reported as stuck.
 */
export class Ending {
  readonly #call: EndingCall;
  #code: Started | undefined;
  #halting = false;
  #state: 'up' | 'stuck' | 'down' = 'up';
  #waiting: Set<() => void> | undefined;
  #stopGrace: (() => void) | undefined;

  constructor(call: EndingCall) {
    this.#call = call;
  }

  /** Runs the call's code; not when the call has been halted meanwhile. `settled` hears what it comes to by itself. */
  run<T>(
    code: () => Operation<T>,
    prepare: (into: Scope) => void,
    settled: (result: Result<T>) => void,
  ): void {
    if (this.#halting) {
      this.down();
      return;
    }
    /** What it threw by itself. */
    let thrown: unknown;
    const isHalting = () => this.#halting;
    function* prepared(): Operation<T> {
      prepare(yield* useScope());
      try {
        return yield* code();
      } catch (error) {
        if (!isHalting()) thrown = error;
        throw error;
      }
    }
    this.#code = startIn(this.#call.scope, prepared, (result) => {
      if (!this.#halting && result) settled(result.ok ? result : Err(toError(result.error)));
      else if (result && !result.ok && result.error !== thrown)
        this.#call.diagnose('cleanup failed', result.error);
      this.down();
    });
    // Its own code may have halted it just now.
    if (this.#halting) this.#code.halt();
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
    this.#code?.halt();
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

  #release(state: 'stuck' | 'down'): void {
    this.#state = state;
    // The call may be kept for long; what its code had is not.
    if (state === 'down') this.#code = undefined;
    for (const resolve of [...(this.#waiting ?? [])]) resolve();
  }
}
