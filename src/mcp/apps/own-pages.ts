import { type Operation, until } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { appHtml } from '../../panel/app-html.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';
import { pageFolder, readPage } from './page-files.ts';
import { createPagedCall, type PagedCall, type PagedCallParts } from './paged-call.ts';
import type { AppPage, AppPages, PageEnd } from './pages.ts';
import { SlowHosts } from './slow-hosts.ts';

/** A tool's own views, to be put into its page. */
export interface PageViews {
  /** Hands them to `globalThis.parleyViews`. */
  readonly script: string;
  readonly style: string;
}

/** How a server shows pages of calls. */
export interface OwnPagesOptions {
  /** Whether calls of a tool are asked on pages now; all are by default. Read for each call. */
  readonly offers?: (tool: string) => boolean;
  /** The views of a tool; without them its questions have forms there. Asked for once before the first page is drawn. */
  readonly views?: (tool: string) => Promise<PageViews | undefined>;
  /** Returns when no tools are on their way: a page of one that is not there yet is waited for. */
  readonly loaded?: () => Operation<void>;
  /** How long a host has to show its page before a question is asked in another way, milliseconds; 3 s by default. */
  readonly patience?: number;
}

/** The pages of a server that has no editor: each call's run panel, in the conversation of the client that made it. */
export class OwnPages implements AppPages {
  /** How long a host has to show a page, milliseconds. */
  readonly patience: number;
  /** Hosts whose pages hear of their call when it is over. */
  readonly slow = new SlowHosts();
  readonly #parts: PagedCallParts;
  readonly #options: OwnPagesOptions;
  readonly #folder: string;
  readonly #calls = new WeakMap<Session, PagedCall>();

  private constructor(folder: string, options: OwnPagesOptions, parts: PagedCallParts) {
    this.#folder = folder;
    this.#options = options;
    this.#parts = parts;
    this.patience = options.patience ?? PATIENCE;
  }

  /** @throws where the files of the page are missing */
  static create(options: OwnPagesOptions | false, parts: PagedCallParts): OwnPages | undefined {
    return options === false ? undefined : new OwnPages(pageFolder(), options, parts);
  }

  /** How long a host that has nothing but its page has to show it, milliseconds. Longer, where its pages have come in time before. */
  patienceWith(clientInfo: unknown): number {
    const slow = this.slow.is(clientInfo);
    if (slow === undefined) return this.patience;
    return slow ? 0 : this.patience * FOR_QUICK;
  }

  /** What changes something in an editor is answered there. */
  offers(served: Served): boolean {
    const tool = toolOf(served);
    if (tool.def.requires.editor || this.#options.offers?.(tool.name) === false) return false;
    // The host gives a page a few seconds: its views are ready before the first one is drawn.
    void this.#options.views?.(tool.name).catch(() => {});
    return true;
  }

  *document(served: Served, ticket: string): Operation<string> {
    const { views } = this.#options;
    const own = views?.(toolOf(served).name).catch((cause: unknown) => {
      this.#parts.report('views cannot be put into a page; their questions have forms there', cause);
      return undefined;
    });
    const [page, inlined] = yield* until(Promise.all([readPage(this.#folder), own]));
    return appHtml({ ...page, ticket, language: 'en', ...defined({ views: inlined }) });
  }

  *loaded(): Operation<void> {
    if (this.#options.loaded) yield* this.#options.loaded();
  }

  open(session: Session, to: PageEnd): AppPage {
    return this.callOf(session).guests.join(to);
  }

  callOf(session: Session): PagedCall {
    const known = this.#calls.get(session);
    if (known) return known;
    const made = createPagedCall(session, this.#parts);
    this.#calls.set(session, made);
    return made;
  }
}

const PATIENCE = 3_000;

const FOR_QUICK = 10;
