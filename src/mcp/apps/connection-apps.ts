import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Operation, race, sleep, type WithResolvers, withResolvers } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import { ready, type SendInput, type Watched, type WatchInput } from '../../panel-port/index.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';
import { Mailbox } from './mailbox.ts';
import type { AppPage, AppPages } from './pages.ts';

/** A call that runs on this connection. */
interface OpenCall {
  readonly session: Session;
  readonly tool: string;
  /** The arguments as the request gave them: by these a page finds its call. */
  readonly given: unknown;
}

/** A page that has found its call. */
interface Link {
  readonly mailbox: Mailbox;
  readonly page: AppPage;
  /** Polls that are open; and when the last one was answered. */
  polls: number;
  heard: number;
}

/** One drawing of a page: for calls of one tool, and for one call once it has found it. */
interface Drawing {
  readonly tool: string;
  link?: Link | undefined;
}

/** How long a poll waits, in milliseconds: hosts give up on requests after 30 to 60 s. */
const POLL = 25_000;
/** How long a page that was drawn first waits for its call, in milliseconds. */
const BEGINS = 10_000;
/** A page that has not asked for so long is gone, in milliseconds: nothing tells of it. */
const GONE = 60_000;
/** Drawings that are remembered; a conversation draws its pages again whenever it is opened. */
const MOST_DRAWINGS = 500;

/**
 * The pages of one connection. A page that is drawn gets a ticket; with it and the arguments that its host shows it, it finds the
 * call that it belongs to, once. Of two calls that no page could tell apart none is given out.
 */
export class ConnectionApps {
  readonly #pages: AppPages;
  readonly #calls = new Set<OpenCall>();
  readonly #drawings = new Map<string, Drawing>();
  #news: WithResolvers<void> = withResolvers<void>();

  constructor(pages: AppPages) {
    this.#pages = pages;
  }

  /** A call has begun. Returns what to do when it is answered. */
  began(session: Session, given: unknown): () => void {
    const call = { session, tool: session.toolName, given };
    this.#calls.add(call);
    this.#news.resolve();
    this.#news = withResolvers<void>();
    return () => void this.#calls.delete(call);
  }

  /** The document of a tool's page, drawn once more. */
  *draw(served: Served): Operation<string> {
    const ticket = randomBytes(24).toString('base64url');
    this.#drawings.set(ticket, { tool: toolOf(served).name });
    const [oldest = ''] = this.#drawings.keys();
    if (this.#drawings.size > MOST_DRAWINGS) this.#forget(oldest);
    return yield* this.#pages.document(served, ticket);
  }

  /** What a page is told next. */
  *watch({ ticket, input, after }: WatchInput): Operation<Watched> {
    const drawing = this.#drawings.get(ticket);
    if (!drawing) return { state: 'ended', messages: [], at: after };
    const found = drawing.link ?? (yield* this.#find(drawing, input));
    if (typeof found === 'string') return { state: found, messages: [], at: after };
    drawing.link = found;
    found.polls += 1;
    try {
      const { state, messages, at } = yield* found.mailbox.poll(after, POLL);
      return { state, messages: [...messages], at };
    } finally {
      found.polls -= 1;
      found.heard = Date.now();
    }
  }

  /** What a page says. A page that has no call is not heard. */
  send({ ticket, messages }: SendInput): void {
    const link = this.#drawings.get(ticket)?.link;
    for (const message of messages) link?.page.receive(message);
  }

  /** Lets go of pages that are gone: their questions are to be seen elsewhere. */
  sweep(now: number): void {
    for (const drawing of this.#drawings.values()) {
      const { link } = drawing;
      if (!link || link.polls > 0 || now - link.heard < GONE) continue;
      // Should it come back after all, it finds its call anew.
      delete drawing.link;
      link.page.close();
    }
  }

  close(): void {
    for (const ticket of [...this.#drawings.keys()]) this.#forget(ticket);
  }

  *#find({ tool }: Drawing, input: JsonObject): Operation<Link | 'ended' | 'elsewhere'> {
    const until = Date.now() + BEGINS;
    for (;;) {
      const calls = [...this.#calls].filter(
        (call) => call.tool === tool && isDeepStrictEqual(call.given, input),
      );
      const [call, ...others] = calls;
      if (others.length > 0) return 'elsewhere';
      if (call) return this.#open(call.session) ?? 'elsewhere';
      const left = until - Date.now();
      if (left <= 0) return 'ended';
      yield* race([this.#news.operation, sleep(left)]);
    }
  }

  #open(session: Session): Link | undefined {
    const mailbox = new Mailbox();
    const page = this.#pages.open(session, {
      post: (message) => {
        // A page that has fallen behind asks for all of it, as it would after a reload.
        if (!mailbox.post(message)) page?.receive(READY);
      },
      ended: () => mailbox.end(),
    });
    if (!page) return undefined;
    page.receive(READY);
    return { mailbox, page, polls: 0, heard: Date.now() };
  }

  #forget(ticket: string): void {
    this.#drawings.get(ticket)?.link?.page.close();
    this.#drawings.delete(ticket);
  }
}

/** What a page says when it has nothing: `ready`, of the panel's port. */
const READY = ready({});
