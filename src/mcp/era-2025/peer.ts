import { type Operation, until } from 'effection';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { NotificationPort } from '../request/reporter.ts';
import { type AskedPeer, peerError } from '../wire/rpc/peer-errors.ts';

/** The client at the other end of a 2025-era request: it can be asked, and told. */
export interface Peer extends NotificationPort {
  /** For messages: `mcp client "x"`. */
  readonly name: string;
  /** What it says it is. */
  readonly clientInfo: unknown;
  capabilities(): ClientCapabilities;
  /** Sends a request that belongs to the one being served. Aborting it tells the client that it is cancelled. */
  request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<unknown>;
  /** Tells it something that belongs to no request: also when the one that is being served is over. */
  notifyLater(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
  /** How long the client has for an answer, milliseconds. */
  readonly askTimeout: number;
}

/** What a request to a client takes. */
export interface RequestOptions {
  readonly signal: AbortSignal;
  readonly timeout: number;
}

/**
 * Asks the client and waits. Halted, it cancels the request.
 *
 * @throws a `ParleyError`: the client failed, left, or took too long
 */
export function* askPeer(
  peer: Peer,
  kind: AskedPeer['kind'],
  method: string,
  params: Readonly<Record<string, unknown>>,
): Operation<unknown> {
  const controller = new AbortController();
  const timeout = peer.askTimeout;
  let settled = false;
  const answer = peer.request(method, params, { signal: controller.signal, timeout }).finally(() => {
    settled = true;
  });
  try {
    return yield* until(answer);
  } catch (error) {
    throw peerError(error, { client: peer.name, kind, timeout });
  } finally {
    if (!settled) {
      answer.catch(() => {});
      controller.abort('the question was withdrawn');
    }
  }
}
