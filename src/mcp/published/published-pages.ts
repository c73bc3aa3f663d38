import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isLoopback } from '../../core/page/page-address.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { PageLine } from '../apps/page-line.ts';
import { letters } from './letters.ts';

/** Where pages with questions are published, and who may open them. */
export interface PublishOptions {
  /**
   * The address at which browsers reach this server; read for each page. Beyond this machine it begins with `https:`, and `login` is
   * there: without it nothing is published.
   */
  readonly at: string | (() => string | undefined);
  /**
   * Who is logged in in the browser that makes this request: a page answers only for the caller (`Principal.name`) that it was made for.
   * Nothing for nobody.
   */
  readonly login?: (request: {
    readonly headers: Readonly<Record<string, unknown>>;
  }) => Promise<string | undefined>;
}

/** A question on a page of its own. */
export interface PublishedPage {
  readonly id: string;
  readonly url: string;
  /** Shown by the page and by the client: whoever compares them knows that one is for the other. */
  readonly code: string;
  readonly session: Session;
  readonly principal: string;
  /** Who asks, for people. */
  readonly caller: string;
  readonly expires: number;
  /** Digest of the cookie of the browser that it belongs to. */
  browser?: Buffer;
  /** Its question is answered, or closed in another way. */
  closed: boolean;
  /** To the tab that has it open. */
  line?: PageLine;
  /** Its client has said that the person opens it. */
  isAgreed: boolean;
}

/** How long a link may be opened, milliseconds. */
const LIFE = 10 * 60_000;

/** Pages at once; the oldest of whoever has the most give way. */
const MOST = 1_000;

/** The pages with questions that this server has published. */
export class PublishedPages {
  readonly #options: PublishOptions;
  readonly #pages = new Map<string, PublishedPage>();
  readonly #links = new WeakMap<Session, Map<string, PublishedPage>>();

  constructor(options: PublishOptions) {
    this.#options = options;
  }

  /** The origin of the pages; nothing where none may be published. */
  origin(): string | undefined {
    const { at, login } = this.#options;
    const given = typeof at === 'function' ? at() : at;
    if (given === undefined || !URL.canParse(given)) return undefined;
    const { protocol, hostname, origin } = new URL(given);
    if (isLoopback(hostname) && /^https?:$/.test(protocol)) return origin;
    // Who has a link, or a token that several share, is not yet somebody.
    return protocol === 'https:' && login ? origin : undefined;
  }

  /** @param life how long the page may be opened, milliseconds */
  publish(session: Session, principal: string, caller: string, life = LIFE): PublishedPage | undefined {
    const origin = this.origin();
    if (origin === undefined) return undefined;
    const id = randomBytes(24).toString('base64url');
    const page: PublishedPage = {
      id,
      url: `${origin}/ask/${id}`,
      code: `${letters(3)}-${letters(3)}`,
      session,
      principal,
      caller,
      expires: Date.now() + life,
      closed: false,
      isAgreed: false,
    };
    this.#pages.set(id, page);
    if (this.#pages.size > MOST) this.#giveWay();
    return page;
  }

  /** One principal's flood closes no page of another. */
  #giveWay(): void {
    const byPrincipal = Map.groupBy(this.#pages.values(), ({ principal }) => principal);
    const [most] = [...byPrincipal.values()].sort((a, b) => b.length - a.length);
    if (most?.[0]) this.forget(most[0]);
  }

  /**
   * The link for a question, as long as that is open: for all requests of its client, until a browser has it.
   *
   * @throws where there is no address any more
   */
  linkFor(session: Session, askId: string, principal: string, caller: string): PublishedPage {
    const links = this.#links.get(session) ?? this.#follow(session);
    const known = links.get(askId);
    if (known && !known.browser && this.find(known.id) === known) return known;
    const page = this.publish(session, principal, caller);
    if (!page) throw new Error('this server has no address any more at which a page could be opened');
    links.set(askId, page);
    return page;
  }

  #follow(session: Session): Map<string, PublishedPage> {
    const links = new Map<string, PublishedPage>();
    this.#links.set(session, links);
    session.subscribe((event) => {
      if (event.type !== 'ask_closed') return;
      const page = links.get(event.id);
      links.delete(event.id);
      if (page) this.close(page);
    });
    return links;
  }

  /** The client says that the person opens the link for a question; false where it has none. */
  agreed(session: Session, askId: string): boolean {
    const page = this.#links.get(session)?.get(askId);
    if (page) page.isAgreed = true;
    return page !== undefined;
  }

  /** How long somebody may take to come who has agreed to, milliseconds. */
  comingTo(session: Session, askId: string): number {
    const page = this.#links.get(session)?.get(askId);
    return page?.isAgreed && this.find(page.id) === page ? Math.max(page.expires - Date.now(), 0) : 0;
  }

  /** Its question is closed: a link that nobody has opened is worth nothing any more. */
  close(page: PublishedPage): void {
    page.closed = true;
    if (!page.browser) this.forget(page);
  }

  forget(page: PublishedPage): void {
    this.#pages.delete(page.id);
    page.line?.close();
    delete page.line;
  }

  /** A page that may be looked at, or be opened for the first time; nothing for one that is over. */
  find(id: string): PublishedPage | undefined {
    this.sweep();
    return this.#pages.get(id);
  }

  /** Whether a browser with this cookie is the one that the page belongs to. */
  isTheirs({ browser }: PublishedPage, cookie: string | undefined): boolean {
    return browser !== undefined && cookie !== undefined && timingSafeEqual(digest(cookie), browser);
  }

  /** Gives the page to whoever asks first; the cookie by which their browser is known from then on. Nothing for anybody later. */
  claim(page: PublishedPage): string | undefined {
    if (page.browser) return undefined;
    const cookie = randomBytes(24).toString('base64url');
    page.browser = digest(cookie);
    return cookie;
  }

  /** Whether the browser that makes a request may see a page: here, anybody with the link; elsewhere, the caller it was made for. */
  async mayOpen(
    page: PublishedPage,
    headers: Readonly<Record<string, unknown>>,
  ): Promise<'yes' | 'log in' | 'no'> {
    const { login } = this.#options;
    if (!login) return 'yes';
    const who = await login({ headers });
    if (who === undefined) return 'log in';
    return who === page.principal ? 'yes' : 'no';
  }

  /** Lets go of links that are over. */
  sweep(): void {
    const now = Date.now();
    for (const page of this.#pages.values()) {
      const isLate = !page.browser && now >= page.expires;
      // One that is being looked at tells of the end first.
      if (isLate || (page.session.ended() && !page.line)) this.forget(page);
    }
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
