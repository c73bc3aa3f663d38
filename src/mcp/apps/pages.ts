import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Served } from '../catalog/catalog.ts';

/**
 * Pages that a host shows in its conversation, where calls are asked (MCP Apps, the extension `io.modelcontextprotocol/ui`).
 * Whoever has a page gives this to a caller; the server speaks for it.
 */
export interface AppPages {
  /** Whether calls of this tool are asked on a page now. */
  offers(served: Served): boolean;
  /** One self-contained HTML document for calls of this tool. `ticket` has to stand in it. */
  document(served: Served, ticket: string): Operation<string>;
  /** The same for a conversation of earlier, whose tool is gone, or is asked elsewhere now. Such a page is not found without this. */
  oldDocument?(ticket: string): Operation<string>;
  /** Returns when no tools are on their way: a page of one that is not there yet is waited for. */
  loaded?(): Operation<void>;
  /**
   * Connects a page that a host has drawn to its call; nothing when the call is not asked on pages. Messages go to the page
   * by `post`; after `ended` none follow. `hostCall` is what the host calls the call, where it says so.
   */
  open(session: Session, to: PageEnd, hostCall: string | undefined): AppPage | undefined;
  /**
   * The same for a page of which this server has no call: that may be one of before it was started again, or over for long. Nothing
   * when no page of that name was ever connected to a call of this tool.
   */
  openEarlier?(tool: string, hostCall: string, to: PageEnd): Operation<AppPage | undefined>;
}

/** The page's end of the line, as its call sees it. */
export interface PageEnd {
  post(message: JsonObject): void;
  ended(): void;
}

/** A call, as its page sees it. */
export interface AppPage {
  /** What the page says. Nothing in it is trusted. */
  receive(message: unknown): void;
  /** The page is gone. */
  close(): void;
}
