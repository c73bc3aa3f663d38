import type { Operation } from 'effection';
import { ready } from '../../panel-port/index.ts';
import { type Mail, Mailbox } from './mailbox.ts';
import type { AppPage, PageEnd } from './pages.ts';

/** How long a poll waits, in milliseconds: hosts give up on requests after 30 to 60 s. */
const POLL = 25_000;
/** A page that has not asked for so long is gone, in milliseconds: nothing tells of it, nor of a tab that was closed. */
export const PAGE_GONE = 60_000;

/** The line to a page that asks for what is new: in a conversation, or in a browser. */
export class PageLine {
  readonly #mailbox = new Mailbox();
  #page: AppPage | undefined;
  /** Polls that are open; and when the last one was answered. */
  #polls = 0;
  #heard = performance.now();

  /** For whoever opens the page at the other end. */
  readonly end: PageEnd = {
    // A page that has fallen behind asks for all of it, as it would after a reload.
    post: (message) => {
      if (!this.#mailbox.post(message)) this.receive([READY]);
    },
    ended: () => this.#mailbox.end(),
  };

  /** The line to a page that was opened; nothing where none was. */
  begin(page: AppPage | undefined): this | undefined {
    this.#page = page;
    this.receive([READY]);
    return page && this;
  }

  /** @param isAnew it was loaded anew: who hides a page loads it again to show it, and it begins at nothing then */
  *poll(after: number, isAnew = this.#mailbox.isBehind(after)): Operation<Mail> {
    if (isAnew) this.receive([READY]);
    this.#polls += 1;
    try {
      return yield* this.#mailbox.poll(after, POLL);
    } finally {
      this.#polls -= 1;
      this.#heard = performance.now();
    }
  }

  /** What the page says. */
  receive(messages: readonly unknown[]): void {
    for (const message of messages) this.#page?.receive(message);
  }

  /** Nobody has the page open any more. `now` as `performance.now()` has it. */
  isGone(now = performance.now()): boolean {
    return this.#polls === 0 && now - this.#heard >= PAGE_GONE;
  }

  close(): void {
    this.#page?.close();
    this.#mailbox.end();
  }
}

/** What a page says when it has nothing: `ready`, of the panel's port. */
const READY = ready({});
