import { type Operation, until } from 'effection';
import { defined } from '../../core/schema/defined.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { pageIdOf } from '../../runtime/session/ask.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import { answeredBy } from '../clients/answered-by.ts';
import type { NotificationPort, Reporter } from '../request/reporter.ts';
import { PAGE_COMPLETED, type SentPages } from '../sent-pages.ts';
import type { CallTrace } from '../trace/call-trace.ts';
import { decodeElicit, encodeElicit } from '../wire/elicit.ts';
import { decodeRoots } from '../wire/roots.ts';
import { type AskedPeer, isRefusal } from '../wire/rpc/peer-errors.ts';
import { decodeSample, encodeSample } from '../wire/sample.ts';

/** The client at the other end of a 2025-era request: it can be asked, and told. */
export interface Peer extends NotificationPort {
  /** For messages: `mcp client "x"`. */
  readonly name: string;
  /** What it says it is. */
  readonly clientInfo: unknown;
  capabilities(): ClientCapabilities;
  /** Asks what belongs to the request that is being served. @throws a `ParleyError` */
  ask(kind: AskedPeer['kind'], params: Readonly<Record<string, unknown>>): Operation<unknown>;
  /** Tells it something that belongs to no request: also when the one that is being served is over. */
  notifyLater(method: string, params: Readonly<Record<string, unknown>>): Promise<void>;
}

/**
 * An MCP client of the 2025 era as the client of a session: each verb is a request to it, bound to the request that is
 * being served. While it thinks, the clocks of the call stand still; it has a time limit of its own.
 */
export function createClient2025(peer: Peer, reporter: Reporter, trace: CallTrace, pages: SentPages): Client {
  /** What this client was sent to in this request. */
  let own: Set<string> | undefined;
  return {
    name: peer.name,
    capabilities: () => peer.capabilities(),
    can: (ask) => canAnswer(peer.capabilities(), ask),
    log: (event) => reporter.log(event),
    notify: (event) => reporter.notify(event),
    *completed({ elicitationId }) {
      // A client is told of its own pages, and of each once.
      if (!own?.delete(elicitationId) || !pages.close(elicitationId)) return;
      yield* until(peer.notify(PAGE_COMPLETED, { elicitationId }));
    },
    *elicit(ask, { session }) {
      const asked = performance.now();
      const whose = (answer: ElicitAnswer<unknown>): ElicitAnswer<unknown> => ({
        ...answer,
        answeredBy: answeredBy(peer.clientInfo, performance.now() - asked, ask.person),
      });
      try {
        const id = ask.request.mode === 'url' ? pageIdOf(ask) : undefined;
        if (id !== undefined) {
          own ??= new Set();
          own.add(id);
          pages.sent(id, () => peer.notifyLater(PAGE_COMPLETED, { elicitationId: id }));
        }
        const params = {
          ...encodeElicit(ask, peer.clientInfo),
          ...defined({ elicitationId: id }),
          ...trace.metaOf(session, ask),
        };
        return whose(decodeElicit(yield* peer.ask('elicit', params)));
      } catch (error) {
        if (isRefusal(error)) return whose({ action: 'decline' });
        throw error;
      }
    },
    *sample(ask, io) {
      const params = { ...encodeSample(ask.request), ...trace.metaOf(io.session, ask) };
      return decodeSample(yield* io.offClock(() => peer.ask('sample', params)));
    },
    *roots(ask, io) {
      const params = trace.metaOf(io.session, ask);
      return decodeRoots(yield* io.offClock(() => peer.ask('roots', params)));
    },
  };
}
