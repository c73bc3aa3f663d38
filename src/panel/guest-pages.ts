import { type Operation, suspend, type WithResolvers, withResolvers } from 'effection';
import type { JsonObject } from '../core/messages/json.ts';
import type { ToPage } from '../panel-port/index.ts';
import { guestMessage } from './guest-message.ts';
import { type PageLink, usePageLink } from './page-link.ts';
import type { PanelStore } from './panel-store.ts';

/** The far end of a page that another program shows: a conversation. */
export interface GuestEnd {
  post(message: JsonObject): void;
  /** The call is over, and the page has been told of it. */
  ended(): void;
}

/** A page that another program shows, as a call's panel sees it. */
export interface GuestPage {
  receive(data: unknown): void;
  close(): void;
}

/** Starts what nobody awaits, and keeps errors of a page away from the code that carries its messages. */
export interface Starter {
  /** A failure is reported under `what`. */
  fork(what: string, operation: () => Operation<unknown>): { halt(): unknown };
  guard<A extends unknown[]>(what: string, listener: (...args: A) => void): (...args: A) => void;
}

/** What guests of a panel need. */
export interface GuestParts {
  readonly edge: Starter;
  readonly title: string;
  readonly store: PanelStore;
  /** Hears what a page says; `onReady` answers its `ready`. */
  listen(onReady: () => void): (data: unknown) => void;
  /** The last page is gone. */
  left(): void;
}

/**
 * More pages of one call, shown by others than its own window. They show what the window shows, and what is answered in one is
 * answered for all. Their views come with their document.
 */
export class GuestPages {
  readonly #parts: GuestParts;
  readonly #ends = new Set<GuestEnd>();
  #joined: WithResolvers<void> = withResolvers<void>();

  constructor(parts: GuestParts) {
    this.#parts = parts;
  }

  get any(): boolean {
    return this.#ends.size > 0;
  }

  /** Waits for the next page that joins. */
  joined(): Operation<void> {
    return this.#joined.operation;
  }

  post(message: ToPage): void {
    for (const end of this.#ends) end.post(guestMessage(message));
  }

  join(end: GuestEnd): GuestPage {
    const { edge, title, store, listen } = this.#parts;
    let link: PageLink | undefined;
    let early = false;
    const onReady = () => {
      early = true;
      link?.ready();
    };
    const receive = listen(onReady);
    this.#ends.add(end);
    this.#joined.resolve();
    this.#joined = withResolvers<void>();

    const keep = this.#keep(end, store, (made) => {
      link = made;
      if (early) made.ready();
    });
    const run = edge.fork(`a page of ${title}`, () => keep);
    return {
      receive: edge.guard('a message of a page in a conversation', receive),
      close: () => void run.halt(),
    };
  }

  *#keep(end: GuestEnd, store: PanelStore, begin: (link: PageLink) => void): Operation<void> {
    try {
      const link = yield* usePageLink({
        store,
        post: (message) => end.post(guestMessage(message)),
        now: Date.now,
      });
      begin(link);
      const over = withResolvers<void>();
      const unsubscribe = store.subscribe(({ end: ended }) => ended && over.resolve());
      if (store.get().end) over.resolve();
      try {
        yield* over.operation;
      } finally {
        unsubscribe();
      }
      link.flush();
      end.ended();
      yield* suspend();
    } finally {
      this.#ends.delete(end);
      if (!this.any) this.#parts.left();
    }
  }
}
