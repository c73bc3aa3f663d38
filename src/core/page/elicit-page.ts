import type { Operation } from 'effection';
import type { AnsweredBy, ElicitRefusal } from '../tool/elicit-refusal.ts';

/**
 * What `elicit({ mode: 'url', … })` takes: a page where the person does what must not pass through the client, such as to
 * log in, to pay, or to enter a secret. Source: MCP "Elicitation", "URL mode".
 */
export interface PageOptions {
  readonly mode: 'url';
  /** What the person should do there, and why. */
  readonly message: string;
  /** Begins with `https://`; on this machine `http://` will do. It holds no name, password or key of the person's. */
  readonly url: string | URL;
  /** What the page and the client know this question by; made of the call's id where none is given. */
  readonly elicitationId?: string;
  /** So long it waits for the person to agree, in milliseconds; then `McpTimeoutError` is thrown. */
  readonly timeout?: number;
}

/** A page that the person has agreed to open. What they do there is not known here. */
export interface OpenedPage {
  readonly elicitationId: string;
  /** Tells the client that opened the page that the person is done there. */
  completed(): Operation<void>;
}

/** The result of sending a person to a page. `accept` says that they agreed to open it, and no more. */
export type PageResult =
  | ({ readonly action: 'accept'; readonly answeredBy: AnsweredBy } & OpenedPage)
  | ElicitRefusal;
