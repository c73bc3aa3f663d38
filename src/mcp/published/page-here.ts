import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  ensure,
  type Operation,
  race,
  resource,
  sleep,
  suspend,
  until,
  type WithResolvers,
  withResolvers,
} from 'effection';
import { isForPages } from '../../panel/for-pages.ts';
import { isEnd } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { onPages } from '../request/on-pages.ts';
import type { PersonClient } from '../request/with-person.ts';
import { type GuestAddress, GuestTabs, reach } from './guest-tabs.ts';
import { type HowOpened, howOpened, open } from './opener.ts';
import type { TabPage } from './page-here-html.ts';
import type { InnerPage, InnerPageParts } from './page-here-server.ts';
import { type PublishedPage, PublishedPages } from './published-pages.ts';

/** The name of our page, of no other program of this machine: what a browser keeps for a host, it gives to all of its ports. */
const NAME = 'parley.localhost';

/** How long a browser has to come once it is opened, milliseconds; and how long a key for one is good. */
const COMES = 10_000;
const KEY_LIFE = 10 * 60_000;
const MAX_KEYS = 100;
/** Between two looks whether a window is open still, milliseconds. */
const LOOK = 500;
/** How long the tab waits for news, milliseconds; and how long it is there after it has asked. */
const POLL = 25_000;
const THERE = 3_000;

/** Which process of this person has the tab. */
export interface SharedTab {
  /** Takes it for this process; where another one that runs has it, gives how that is reached. */
  take(own: GuestAddress): GuestAddress | undefined;
  leave(): void;
}

/** How a page of this process is made. */
export interface PageHereOptions {
  readonly how: HowOpened;
  /** Milliseconds that a request is held for any client, in place of what fits it. */
  readonly held?: number;
  report(message: string, cause?: unknown): void;
  /** The tab that all processes of this person share; a tab of its own without it. */
  readonly tab?: SharedTab;
  /** The window of an editor that asks what calls ask, which is listed there; nothing where none is open. */
  readonly window?: () => { isOpen(): boolean; ask(callId: string): boolean } | undefined;
}

/** A key by which one browser gets in, once. */
interface Key {
  readonly until: number;
  /** It has come as text, which a model may have read: only a press counts. */
  readonly byHand: boolean;
}

/**
 * The page on which this process asks the person itself, for clients that cannot: one tab for all of its questions, at a loopback
 * address, served when it is needed first. What opens the browser alone learns how to get in.
 */
export class PageHere implements InnerPage {
  readonly options: PageHereOptions;
  readonly #published = new PublishedPages({ at: () => this.#address });
  readonly #pages = new Map<Session, PublishedPage>();
  readonly #tab = secret();
  readonly #keys = new Map<string, Key>();
  readonly #folders = new Set<string>();
  readonly guests = new GuestTabs(() => this.#tell());
  readonly #noBrowser: WithResolvers<void> = withResolvers<void>();
  #news: WithResolvers<void> = withResolvers<void>();
  #at = 1;
  #polls = 0;
  /** Questions that a window asks in place of this page. */
  #inWindows = 0;
  #heard = Number.NEGATIVE_INFINITY;
  #opened = Number.NEGATIVE_INFINITY;
  #link: string | undefined;
  #server: Server | undefined;
  #address: string | undefined;
  #starting: Promise<void> | undefined;

  constructor(options: PageHereOptions) {
    this.options = options;
  }

  /** Ends when it is known that nothing here opens a browser. */
  get noBrowser(): Operation<void> {
    return this.#noBrowser.operation;
  }

  /** Where the person finds the page: an address that anybody may know, or a link, where nothing here could open it. */
  get where(): string | undefined {
    return this.#link ?? (this.#address && `${this.#address}/`);
  }

  /** Who asks on this page what a call asks, whoever has called. @param wire for people */
  client(parts: InnerPageParts & { tell(): void }, wire: string): PersonClient {
    const here = this;
    return onPages(wire, parts.pages, function* (_, { session }) {
      yield* here.#inWindow(session, parts.tell);
      yield* until(here.#start(parts));
      parts.tell();
      here.#show(session, wire);
      return yield* here.#bring(parts.tell);
    });
  }

  /** Somebody is there who can be asked: at a browser, or in an open window. */
  get isThere(): boolean {
    const { how, window } = this.options;
    return how.kind !== 'none' || window?.() !== undefined;
  }

  /** A window of an editor asks, not this page. */
  get isInWindow(): boolean {
    return this.#inWindows > 0 || this.options.how.kind === 'none';
  }

  /** Leaves a question to a window of the folder, as long as there is one; where no page is, also to the one that is opened next. */
  *#inWindow({ id }: Session, tell: () => void): Operation<void> {
    const { how, window: find } = this.options;
    for (;;) {
      const window = find?.();
      if (!window?.ask(id)) {
        if (how.kind !== 'none') return;
        yield* sleep(LOOK);
        continue;
      }
      this.#inWindows += 1;
      try {
        tell();
        while (window.isOpen()) yield* sleep(LOOK);
      } finally {
        this.#inWindows -= 1;
      }
    }
  }

  close(): void {
    this.#leave();
    for (const folder of this.#folders) this.#remove(folder);
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  #start(parts: InnerPageParts): Promise<void> {
    this.#starting ??= this.#listen(parts);
    return this.#starting;
  }

  async #listen(parts: InnerPageParts): Promise<void> {
    const { createPageServer } = await import('./page-here-server.ts');
    const server = createPageServer(this, parts, this.options.report);
    this.#server = server;
    // It is no reason for the process to go on.
    await once(server.listen({ host: '127.0.0.1', port: 0 }).unref(), 'listening');
    this.#address = `http://${NAME}:${(server.address() as AddressInfo).port}`;
  }

  #show(session: Session, caller: string): void {
    this.#forgetOver();
    const known = this.#pages.get(session);
    const page =
      known ?? this.#published.publish(session, session.principal, caller, Number.POSITIVE_INFINITY);
    if (page && !known) {
      this.#pages.set(session, page);
      session.subscribe((event) => {
        if ('ask' in event || event.type === 'ask_closed' || isEnd(event)) this.#tell();
      });
    }
    this.#tell();
  }

  #forgetOver(): void {
    for (const [session, { id }] of this.#pages) if (!this.#published.find(id)) this.#pages.delete(session);
  }

  /** The tab hears that there is news. */
  #tell(): void {
    this.#at += 1;
    this.#news.resolve();
    this.#news = withResolvers<void>();
  }

  get #isLookedAt(): boolean {
    return this.#polls > 0 || Date.now() - this.#heard < THERE;
  }

  /** Brings the page before the person, where no tab has it: once for a question, for who closes the tab finds it by its address. */
  *#bring(tell: () => void): Operation<never> {
    for (let other = this.#other(); other && (yield* this.#joins(other)); other = this.#other()) {
      // Its tab asks, as long as it runs.
      while (this.#isLookedAt && this.#other()?.port === other.port) yield* sleep(LOOK);
      this.#heard = Number.NEGATIVE_INFINITY;
    }
    // A browser may be on its way.
    const left = () => this.#opened + COMES - Date.now();
    while (!this.#isLookedAt && left() > 0) yield* sleep(left());
    if (!this.#isLookedAt) {
      this.#opened = Date.now();
      yield* this.#open();
      if (this.#link !== undefined) tell();
    }
    return yield* suspend() as Operation<never>;
  }

  /** The process that has the tab of this person, if it is not this one. */
  #other(): GuestAddress | undefined {
    const { tab, how } = this.options;
    if (!tab || how.kind !== 'command' || !this.#address) return undefined;
    try {
      return tab.take({ port: Number(new URL(this.#address).port), secret: this.#tab });
    } catch (cause) {
      this.options.report('the tab of other programs could not be found', cause);
      return undefined;
    }
  }

  *#joins(other: GuestAddress): Operation<boolean> {
    const own = { port: Number(new URL(this.#address ?? '').port), secret: this.#tab };
    const signal = AbortSignal.timeout(COMES);
    try {
      const response = yield* until(
        reach(other, 'join', { method: 'POST', signal, body: JSON.stringify(own) }),
      );
      const { isSeen } = (yield* until(response.json())) as { isSeen: boolean };
      this.#heard = Date.now();
      return isSeen;
    } catch {
      return false;
    }
  }

  *join(): Operation<boolean> {
    if (this.#isLookedAt || this.#opened + COMES > Date.now()) return true;
    this.#opened = Date.now();
    return yield* this.again();
  }

  #leave(): void {
    try {
      this.options.tab?.leave();
    } catch (cause) {
      this.options.report('a file could not be deleted', cause);
    }
  }

  *#open(): Operation<void> {
    const { how } = this.options;
    const isOpened =
      how.kind === 'command' && (yield* open(how.command, yield* this.#opens(how.isElsewhere)));
    if (isOpened) return;
    this.#link ??= this.#linkFor(true);
    this.#noBrowser.resolve();
  }

  /** What the opener is given: a file that only this user can read, for a command line can be read by others. */
  *#opens(isElsewhere: boolean): Operation<string> {
    if (isElsewhere) return this.#linkFor(false);
    const { redirectHtml } = yield* until(import('./page-here-html.ts'));
    const folder = yield* until(mkdtemp(join(tmpdir(), 'parley-')));
    const file = join(folder, 'question.html');
    const key = this.#newKey(false);
    yield* until(writeFile(file, redirectHtml(`${this.#address}/open`, key), { mode: 0o600 }));
    this.#folders.add(folder);
    setTimeout(() => this.#remove(folder), KEY_LIFE).unref();
    return pathToFileURL(file).href;
  }

  #remove(folder: string): void {
    this.#folders.delete(folder);
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch (cause) {
      this.options.report('a file could not be deleted', cause);
    }
  }

  #linkFor(byHand: boolean): string {
    const { port } = new URL(this.#address ?? '');
    return `http://127.0.0.1:${port}/open?${this.#newKey(byHand)}`;
  }

  #newKey(byHand: boolean): string {
    const key = secret();
    const until = byHand ? Number.POSITIVE_INFINITY : Date.now() + KEY_LIFE;
    this.#keys.set(digest(key), { until, byHand });
    const [oldest = ''] = this.#keys.keys();
    if (this.#keys.size > MAX_KEYS) this.#keys.delete(oldest);
    return key;
  }

  origin(): string | undefined {
    return this.#published.origin();
  }

  find(id: string): PublishedPage | undefined {
    return this.#published.find(id);
  }

  get tab(): string {
    return this.#tab;
  }

  isTab(given: unknown): boolean {
    return digest(String(given)) === digest(this.#tab);
  }

  enter(given: string, isPressed: boolean): 'in' | 'over' | 'refused' {
    const name = digest(given);
    const key = this.#keys.get(name);
    if (key?.byHand && !isPressed) return 'refused';
    this.#keys.delete(name);
    if (!key || Date.now() > key.until) return 'over';
    // What is asked next needs a link of its own, should this tab be closed.
    if (key.byHand) this.#link = this.#linkFor(true);
    return 'in';
  }

  *again(): Operation<boolean> {
    if (this.#link === undefined) yield* this.#open();
    return this.#link === undefined;
  }

  get asking(): number {
    return this.#waiting().length + this.guests.pages.filter(({ open }) => open).length;
  }

  /** Calls that ask now. */
  #waiting(): readonly Session[] {
    return [...this.#pages.keys()].filter((session) => session.openAsks().some(isForPages));
  }

  *listed(after: number): Operation<{ readonly at: number; readonly pages: readonly TabPage[] }> {
    this.#polls += 1;
    try {
      if (after === this.#at) yield* race([this.#news.operation, sleep(POLL)]);
    } finally {
      this.#polls -= 1;
      this.#heard = Date.now();
    }
    this.#forgetOver();
    const waiting = new Set(this.#waiting());
    const pages = [...this.#pages].map(([session, { id, caller }]) => {
      const { title = session.toolName } = session.tool.def;
      const over = session.ended() !== undefined;
      return { id, title, caller, folder: basename(process.cwd()), open: waiting.has(session), over };
    });
    return { at: this.#at, pages: [...pages, ...this.guests.pages] };
  }
}

/**
 * The page of this process, for a server whose clients may have no way to ask: where there is somebody who could be asked on it. Nothing is
 * served or opened before it is needed.
 */
export function usePageHere(
  report: PageHereOptions['report'],
  beside?: Pick<PageHereOptions, 'window' | 'tab'>,
  env: NodeJS.ProcessEnv = process.env,
): Operation<PageHere | undefined> {
  return resource(function* (provide) {
    const how = howOpened(env, process.platform);
    const isNever = how.kind === 'none' && !beside?.window;
    const page = isNever ? undefined : new PageHere({ how, report, ...beside });
    yield* ensure(() => page?.close());
    yield* provide(page);
  });
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
