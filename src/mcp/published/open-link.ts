import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { GuestPages } from '../../panel/guest-pages.ts';
import { ready } from '../../panel-port/index.ts';
import { type Mail, Mailbox } from '../apps/mailbox.ts';

/** How long a poll waits, in milliseconds. */
const POLL = 25_000;

/** A page that has not asked for so long is gone, in milliseconds. */
const GONE = 60_000;

/** Between two looks whether a page is still there, milliseconds: nothing tells of a tab that was closed. */
const LOOK = 5_000;

/** A browser's page and the call that it shows, as long as somebody has it open. */
export class OpenLink {
  readonly #mailbox = new Mailbox();
  readonly #page: ReturnType<GuestPages['join']>;
  readonly #looking: ReturnType<typeof setInterval>;
  #polls = 0;
  #heard = Date.now();

  /** @param gone nobody has it open any more */
  constructor(guests: GuestPages, gone: () => void) {
    this.#looking = setInterval(() => {
      if (this.#polls > 0 || Date.now() - this.#heard < GONE) return;
      this.close();
      gone();
    }, LOOK).unref();
    this.#page = guests.join({
      // A page that has fallen behind asks for all of it, as it would after a reload.
      post: (message) => {
        if (!this.#mailbox.post(message)) this.#page.receive(READY);
      },
      ended: () => this.#mailbox.end(),
    });
    this.#page.receive(READY);
  }

  *poll(after: number): Operation<Mail> {
    // From the beginning: it was loaded anew.
    if (after === 0) this.#page.receive(READY);
    this.#polls += 1;
    try {
      return yield* this.#mailbox.poll(after, POLL);
    } finally {
      this.#polls -= 1;
      this.#heard = Date.now();
    }
  }

  receive(messages: readonly JsonObject[]): void {
    for (const message of messages) this.#page.receive(message);
  }

  close(): void {
    clearInterval(this.#looking);
    this.#page.close();
  }
}

const READY = ready({});
