import type { Operation, Scope } from 'effection';
import { begin } from './begin.ts';
import type { Diagnose } from './diagnostics.ts';

/**
 * Writes to the store in order, one write at a time and off the calls' path: a slow store delays no call, and a failing
 * one harms none.
 */
export class StoreMirror {
  readonly #scope: Scope;
  readonly #diagnose: Diagnose;
  readonly #queue: (() => Operation<unknown>)[] = [];
  #writing = false;

  constructor(scope: Scope, diagnose: Diagnose) {
    this.#scope = scope;
    this.#diagnose = diagnose;
  }

  write(op: () => Operation<unknown>): void {
    if (this.#writing) this.#queue.push(op);
    else this.#start(op);
  }

  #start(first: () => Operation<unknown>): void {
    this.#writing = true;
    for (let op: (() => Operation<unknown>) | undefined = first; op; op = this.#queue.shift()) {
      const begun = begin(op);
      if (!begun.done) {
        this.#scope
          .run(() => begun.rest)
          .then(
            () => this.#resume(),
            (error: unknown) => {
              this.#failed(error);
              this.#resume();
            },
          );
        return;
      }
      if (!begun.result.ok) this.#failed(begun.result.error);
    }
    this.#writing = false;
  }

  #resume(): void {
    this.#writing = false;
    const next = this.#queue.shift();
    if (next) this.#start(next);
  }

  #failed(cause: unknown): void {
    this.#diagnose({ message: 'the session store failed', cause });
  }
}
