import type { Operation, Scope } from 'effection';
import { begin } from '../call/begin.ts';
import type { ReportFault } from '../session/faults.ts';
import type { SessionStore } from './manager.ts';

type Write = (store: SessionStore) => Operation<unknown>;

/**
 * Writes to the store in order, one write at a time and off the calls' path: a slow store delays no call, and a failing
 * one harms none.
 */
export class StoreMirror {
  readonly #store: SessionStore;
  readonly #world: { readonly scope: Scope; readonly diagnose: ReportFault };
  readonly #queue: Write[] = [];
  #writing = false;

  constructor(store: SessionStore, world: { readonly scope: Scope; readonly diagnose: ReportFault }) {
    this.#store = store;
    this.#world = world;
  }

  write(write: Write): void {
    this.#queue.push(write);
    if (!this.#writing) this.#drain();
  }

  #drain(): void {
    this.#writing = true;
    for (let write = this.#queue.shift(); write; write = this.#queue.shift()) {
      const next = write;
      const begun = begin(() => next(this.#store));
      if (!begun.done) {
        this.#world.scope
          .run(() => begun.rest)
          .then(
            () => this.#drain(),
            (error: unknown) => {
              this.#failed(error);
              this.#drain();
            },
          );
        return;
      }
      if (!begun.result.ok) this.#failed(begun.result.error);
    }
    this.#writing = false;
  }

  #failed(cause: unknown): void {
    this.#world.diagnose({ message: 'the session store failed', cause });
  }
}
