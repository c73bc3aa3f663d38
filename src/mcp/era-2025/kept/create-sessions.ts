import type { CallStore } from '../../../runtime/journal/call-store.ts';
import type { Caller } from '../../caller.ts';
import type { ServerParts } from '../../host.ts';
import type { HttpLimits } from '../../http/limits.ts';
import { connect2025 } from '../connection.ts';
import { HttpSession } from '../http-session.ts';
import { HttpSessions } from '../http-sessions.ts';
import { KeptSession } from './kept-session.ts';
import { type TakenOver, takeOver } from './take-over.ts';

/** What the sessions of one endpoint are made of. */
export interface SessionsOptions {
  readonly host: ServerParts;
  /** Keeps their calls, so that another process can go on with them. */
  readonly store: CallStore | undefined;
  readonly limits: HttpLimits;
  readonly revisions: readonly string[];
}

/** Event ids of a process that takes a session over begin at a time: behind all that the one before has sent. */
const BEGINNING = Date.UTC(2025, 0);

/** The 2025-era sessions of one endpoint. With a store a session outlives its process. */
export function createSessions({ host, store, limits, revisions }: SessionsOptions): HttpSessions {
  async function connect(session: HttpSession, caller: Caller, taken?: TakenOver): Promise<void> {
    const { sessionId, principal } = session;
    const keep = (facts: () => Omit<TakenOver['facts'], 'protocolVersion'>) => {
      const kept = new KeptSession({
        host,
        store: store as CallStore,
        principal,
        sessionId,
        facts: () => ({ ...facts(), protocolVersion: session.revision }),
        streamOf: (id) => session.streamOf(id),
        ...(taken ? { taken } : {}),
      });
      session.keeping = kept;
      return kept;
    };
    // Pages of a call are in the process that drew them.
    const keeping = store && !caller.apps ? keep : undefined;
    const { abandon } = await connect2025(host.for(caller.name), caller, session, sessionId, keeping);
    session.onabandoned = abandon;
  }

  async function taking(
    of: CallStore,
    id: string,
    caller: Caller,
  ): Promise<HttpSession | 'held' | undefined> {
    const now = Date.now();
    const taken = await host.run(() => takeOver(of, caller.name, id, now - limits.resumeGrace));
    if (!taken || taken === 'held') return taken;
    const session = new HttpSession(id, caller.name, limits, now - BEGINNING);
    await connect(session, caller, taken);
    await session.restore(taken.facts);
    for (const [, { request, stream, asked }] of taken.calls) session.adopt({ ...request, stream, asked });
    for (const { request, stream, result } of taken.ended) {
      session.adopt({ ...request, stream, asked: {} });
      await session.send({ jsonrpc: '2.0', id: request.id, result });
    }
    for (const [, { request }] of taken.calls) session.again(request);
    return session;
  }

  return new HttpSessions({
    limits,
    revisions,
    connect,
    ...(store ? { takeOver: (id, caller) => taking(store, id, caller) } : {}),
  });
}
