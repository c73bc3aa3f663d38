import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Operation, race, sleep, type WithResolvers, withResolvers } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { isMeantFor } from '../../panel/model/audience.ts';
import {
  isJsonObject,
  ready,
  type SendInput,
  type Watched,
  type WatchInput,
} from '../../panel-port/index.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';
import type { Result } from '../request/open-call.ts';
import { Mailbox } from './mailbox.ts';
import type { AppPage, AppPages, PageEnd } from './pages.ts';

/** A call, as the request for it gave it. */
export interface GivenCall {
  readonly session: Session;
  /** The arguments: by these a page finds its call. */
  readonly given: unknown;
  /** The id of the request, which some hosts tell their pages. */
  readonly request: string | number | undefined;
  /** A page has found it: late, where its request is answered already. */
  found?(late: boolean): void;
}

/** A call that goes on without its request. */
export interface Alone {
  /** What the model is told at its end. */
  told(end: EndEvent): Result;
  /** Its client is gone. */
  gone(): void;
}

/** The pages of calls that one client shows in its conversation. */
export interface ClientPages {
  /** A call has begun; nothing where no page could find it. */
  began(call: GivenCall): FindableCall | undefined;
  /** Answers what is about pages, adds them to lists, and hands on everything else. */
  serve(method: string, params: Params, next: () => Promise<Result>): Promise<Result>;
  /** Whether calls of a tool, or of some, are asked on pages of this server's own. */
  asks(tool?: string): boolean;
}

type Params = Readonly<Record<string, unknown>>;

/** A call that runs on this connection. */
interface OpenCall extends GivenCall {
  alone?: Alone;
  /** What the host calls it, once a page has said so: a page of another name is another call's. */
  hostCall?: string;
  /** When it was seen to be over. */
  over?: number;
}

/** A call that pages may find. */
export interface FindableCall {
  /** Its request is answered now, and it goes on. */
  goesOn(alone: Alone): void;
  /** It is over, or nobody shall find it any more. */
  over(): void;
}

/** Whoever asks stands in no page of this connection. */
export class RefusedPage extends Error {}

/** A page that has found its call. */
interface Link {
  /** Absent for one of before this connection. */
  readonly call?: OpenCall;
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

  /** A call has begun. */
  began(given: GivenCall): FindableCall {
    const call: OpenCall = { ...given };
    // The next request for a call that pages could find all the while.
    for (const one of this.#calls) if (one.session === given.session) this.#calls.delete(one);
    this.#calls.add(call);
    this.#tell();
    return {
      goesOn: (alone) => {
        call.alone = alone;
        this.#tell();
      },
      over: () => void this.#calls.delete(call),
    };
  }

  /** The document of a tool's page, drawn once more. */
  *draw(served: Served): Operation<string> {
    return yield* this.#pages.document(served, this.#ticketFor(toolOf(served).name));
  }

  /** The document of a page whose tool is not there any more. */
  *drawOld(tool: string): Operation<string | undefined> {
    if (!this.#pages.oldDocument) return undefined;
    return yield* this.#pages.oldDocument(this.#ticketFor(tool));
  }

  /** What a page is told next. @throws `RefusedPage` */
  *watch({ ticket, after, ...sought }: WatchInput): Operation<Watched> {
    const drawing = this.#drawingOf(ticket);
    if (drawing.link?.call && !mayBe(drawing.link.call, sought)) this.#unlink(drawing);
    const found = drawing.link ?? (yield* this.#find(drawing, sought));
    if (typeof found === 'string') return { state: found, messages: [], at: after };
    drawing.link = found;
    // A host that hides a page loads it anew when it shows it again: the page begins at nothing then.
    if (found.mailbox.isBehind(after)) found.page.receive(READY);
    found.polls += 1;
    try {
      const { state, messages, at } = yield* found.mailbox.poll(after, POLL);
      const told = state === 'ended' ? toldOf(found.call) : undefined;
      return { state, messages: [...messages], at, ...defined({ told }) };
    } finally {
      found.polls -= 1;
      found.heard = performance.now();
    }
  }

  /** What a page says. A page that has no call is not heard. @throws `RefusedPage` */
  send({ ticket, messages }: SendInput): void {
    const { link } = this.#drawingOf(ticket);
    for (const message of messages) link?.page.receive(message);
  }

  /** Lets go of pages that are gone: their questions are to be seen elsewhere. `now` as `performance.now()` has it. */
  sweep(now: number): void {
    for (const drawing of this.#drawings.values()) {
      const { link } = drawing;
      if (!link || link.polls > 0 || now - link.heard < GONE) continue;
      // Should it come back after all, it finds its call anew.
      this.#unlink(drawing);
    }
    for (const call of this.#calls) {
      if (!call.session.ended()) continue;
      call.over ??= now;
      if (now - call.over >= GONE) this.#calls.delete(call);
    }
  }

  /** Whether a call runs that a page may find, or a page has found its call. */
  used(): boolean {
    return this.#calls.size > 0 || [...this.#drawings.values()].some(({ link }) => link !== undefined);
  }

  close(): void {
    for (const ticket of [...this.#drawings.keys()]) this.#forget(ticket);
    for (const { alone } of this.#calls) alone?.gone();
    this.#calls.clear();
  }

  #ticketFor(tool: string): string {
    const ticket = randomBytes(24).toString('base64url');
    this.#drawings.set(ticket, { tool });
    const [oldest = ''] = this.#drawings.keys();
    if (this.#drawings.size > MOST_DRAWINGS) this.#forget(oldest);
    return ticket;
  }

  #drawingOf(ticket: string): Drawing {
    const drawing = this.#drawings.get(ticket);
    if (!drawing) throw new RefusedPage();
    return drawing;
  }

  *#find({ tool }: Drawing, sought: Sought): Operation<Link | 'ended' | 'elsewhere'> {
    const until = performance.now() + BEGINS;
    for (let first = true; ; first = false) {
      const [call, ...others] = matching([...this.#calls], tool, sought);
      if (others.length > 0) return 'elsewhere';
      if (call) return this.#open(call, sought.hostCall) ?? 'elsewhere';
      // What has a result has begun: it is not waited for.
      if (sought.call !== undefined || sought.over) return 'ended';
      const earlier = first ? yield* this.#openEarlier(tool, sought.hostCall) : undefined;
      if (earlier) return earlier;
      const left = until - performance.now();
      if (left <= 0) return 'ended';
      yield* race([this.#news.operation, sleep(left)]);
    }
  }

  #open(call: OpenCall, hostCall: string | undefined): Link | undefined {
    const line = new Line();
    const link = line.begin(this.#pages.open(call.session, line.end, hostCall));
    if (!link) return undefined;
    if (hostCall !== undefined) call.hostCall ??= hostCall;
    call.found?.(call.alone !== undefined);
    return { ...link, call };
  }

  *#openEarlier(tool: string, hostCall: string | undefined): Operation<Link | undefined> {
    if (hostCall === undefined || !this.#pages.openEarlier) return undefined;
    const line = new Line();
    return line.begin(yield* this.#pages.openEarlier(tool, hostCall, line.end));
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = withResolvers<void>();
  }

  /** The page shows this call no more. */
  #unlink(drawing: Drawing): void {
    const { link } = drawing;
    delete drawing.link;
    link?.page.close();
    link?.mailbox.end();
  }

  #forget(ticket: string): void {
    this.#drawings.get(ticket)?.link?.page.close();
    this.#drawings.delete(ticket);
  }
}

/** The line to a page. */
class Line {
  readonly #mailbox = new Mailbox();
  #page: AppPage | undefined;

  readonly end: PageEnd = {
    post: (message) => {
      // A page that has fallen behind asks for all of it, as it would after a reload.
      if (!this.#mailbox.post(message)) this.#page?.receive(READY);
    },
    ended: () => this.#mailbox.end(),
  };

  begin(page: AppPage | undefined): Link | undefined {
    this.#page = page;
    page?.receive(READY);
    return page && { mailbox: this.#mailbox, page, polls: 0, heard: performance.now() };
  }
}

/** What a page knows of the call that it looks for. */
type Sought = Omit<WatchInput, 'ticket' | 'after'>;

/** The calls that a page may belong to. What its host says of a request counts only where nothing else tells two calls apart. */
function matching(calls: readonly OpenCall[], tool: string, sought: Sought) {
  const same = calls.filter(
    (one) =>
      one.session.toolName === tool &&
      isDeepStrictEqual(one.given, sought.input) &&
      mayBe(one, sought) &&
      isShownAs(one, sought.hostCall),
  );
  const shown = same.filter(({ hostCall }) => hostCall !== undefined && hostCall === sought.hostCall);
  if (shown.length === 1) return shown;
  if (same.length < 2) return same;
  const named = same.filter(({ request }) => request === sought.request);
  return named.length === 1 ? named : same;
}

/** Whether a call is the page's, by what the host has shown of its result: a conversation that is opened again shows old ones. */
function mayBe({ session }: OpenCall, { call, over }: Sought): boolean {
  if (call !== undefined) return session.id === call;
  return over !== true || session.ended() !== undefined;
}

/** Whether a call may be the one that the host calls so. */
function isShownAs({ hostCall }: OpenCall, sought: string | undefined): boolean {
  return hostCall === undefined || sought === undefined || hostCall === sought;
}

/** What the model has not been told yet of a call that went on without its request. */
function toldOf(call: OpenCall | undefined): Watched['told'] {
  const { alone, session } = call ?? {};
  const end = session?.ended();
  if (!alone || !end) return undefined;
  const { content, structuredContent } = alone.told(end);
  return {
    // Here the page speaks for the host, which would leave out what is for the person alone.
    content: Array.isArray(content) ? content.filter((block) => isMeantFor('assistant', block)) : [],
    ...(isJsonObject(structuredContent) ? { structuredContent } : {}),
  };
}

/** What a page says when it has nothing: `ready`, of the panel's port. */
const READY = ready({});
