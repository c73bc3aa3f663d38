import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { GuestPages } from '../../panel/guest-pages.ts';
import { ready } from '../../panel-port/index.ts';
import { type Mail, Mailbox } from '../apps/mailbox.ts';

/** How long a poll waits, in milliseconds. */
const POLL = 25_000;

/** A page that has not asked for so long is gone, in milliseconds. */
const GONE = 60_000;

/** A browser's page and the call that it shows. */
export class OpenLink {
  readonly #mailbox = new Mailbox();
  readonly #page: ReturnType<GuestPages['join']>;
  readonly #now: () => number;
  #polls = 0;
  #heard: number;

  constructor(guests: GuestPages, now: () => number = () => Date.now()) {
    this.#now = now;
    this.#heard = now();
    this.#page = guests.join({
      // A page that has fallen behind asks for all of it, as it would after a reload.
      post: (message) => {
        if (!this.#mailbox.post(message)) this.#page.receive(READY);
      },
      ended: () => this.#mailbox.end(),
    });
    this.#page.receive(READY);
  }

  /** Whether somebody has it open. */
  isWatched(now: number): boolean {
    return this.#polls > 0 || now - this.#heard < GONE;
  }

  *poll(after: number): Operation<Mail> {
    // From the beginning: it was loaded anew.
    if (after === 0) this.#page.receive(READY);
    this.#polls += 1;
    try {
      return yield* this.#mailbox.poll(after, POLL);
    } finally {
      this.#polls -= 1;
      this.#heard = this.#now();
    }
  }

  receive(messages: readonly JsonObject[]): void {
    for (const message of messages) this.#page.receive(message);
  }

  close(): void {
    this.#page.close();
  }
}

const READY = ready({});
