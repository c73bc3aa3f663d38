import type { Operation } from 'effection';
import { fromThenable, type Run } from '../bridge.ts';

/**
 * Something that runs once at most, however many start and end it at the same time: the next begins when the one before has ended, with
 * its cleanup, and of several that are wanted meanwhile only the last one does.
 */
export class OneRun {
  #key: string | undefined;
  #run: Run<unknown> | undefined;
  #ending: Promise<unknown> = Promise.resolve();
  #wanted = 0;
  #closed = false;

  /** What runs, or is about to. */
  get key(): string | undefined {
    return this.#key;
  }

  /** Begins it in the place of what ran before, unless this is what runs. */
  *start(key: string, begin: () => Run<unknown>): Operation<void> {
    if (this.#closed || this.#key === key) return;
    const mine = ++this.#wanted;
    this.#key = key;
    try {
      yield* this.#ended();
      if (mine === this.#wanted) this.#run = begin();
    } finally {
      if (mine === this.#wanted && !this.#run) this.#key = undefined;
    }
  }

  *end(): Operation<void> {
    this.#wanted += 1;
    this.#key = undefined;
    yield* this.#ended();
  }

  /** Ends it for good: who is late starts nothing any more. */
  *close(): Operation<void> {
    this.#closed = true;
    yield* this.end();
  }

  *#ended(): Operation<void> {
    const run = this.#run;
    this.#run = undefined;
    if (run) this.#ending = Promise.allSettled([this.#ending, run.halt()]);
    yield* fromThenable(this.#ending);
  }
}
