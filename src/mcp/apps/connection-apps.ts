import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { type Operation, race, sleep, type WithResolvers, withResolvers } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { isMeantFor } from '../../panel/model/audience.ts';
import { isJsonObject, type SendInput, type Watched, type WatchInput } from '../../panel-port/index.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';
import type { Result } from '../request/open-call.ts';
import { PAGE_GONE, PageLine } from './page-line.ts';
import type { AppPages } from './pages.ts';

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
  readonly line: PageLine;
}

/** One drawing of a page: for calls of one tool, and for one call once it has found it. */
interface Drawing {
  readonly tool: string;
  link?: Link | undefined;
}

/** How long a page that was drawn first waits for its call, in milliseconds. */
const BEGINS = 10_000;
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
    const { state, messages, at } = yield* found.line.poll(after);
    const told = state === 'ended' ? toldOf(found.call) : undefined;
    return { state, messages: [...messages], at, ...defined({ told }) };
  }

  /** What a page says. A page that has no call is not heard. @throws `RefusedPage` */
  send({ ticket, messages }: SendInput): void {
    this.#drawingOf(ticket).link?.line.receive(messages);
  }

  /** Lets go of pages that are gone: their questions are to be seen elsewhere. `now` as `performance.now()` has it. */
  sweep(now: number): void {
    for (const drawing of this.#drawings.values()) {
      // Should it come back after all, it finds its call anew.
      if (drawing.link?.line.isGone(now)) this.#unlink(drawing);
    }
    for (const call of this.#calls) {
      if (!call.session.ended()) continue;
      call.over ??= now;
      if (now - call.over >= PAGE_GONE) this.#calls.delete(call);
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
    const line = new PageLine();
    if (!line.begin(this.#pages.open(call.session, line.end, hostCall))) return undefined;
    if (hostCall !== undefined) call.hostCall ??= hostCall;
    call.found?.(call.alone !== undefined);
    return { line, call };
  }

  *#openEarlier(tool: string, hostCall: string | undefined): Operation<Link | undefined> {
    if (hostCall === undefined || !this.#pages.openEarlier) return undefined;
    const line = new PageLine();
    return line.begin(yield* this.#pages.openEarlier(tool, hostCall, line.end)) && { line };
  }

  #tell(): void {
    this.#news.resolve();
    this.#news = withResolvers<void>();
  }

  /** The page shows this call no more. */
  #unlink(drawing: Drawing): void {
    const { link } = drawing;
    delete drawing.link;
    link?.line.close();
  }

  #forget(ticket: string): void {
    this.#drawings.get(ticket)?.link?.line.close();
    this.#drawings.delete(ticket);
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
