import { toolOf } from '../../core/plugin/offer.ts';
import type { WaitingCalls } from '../../mcp/index.ts';
import type { CreateSession, SessionManager } from '../../runtime/manager/manager.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Asker } from '../calls/asker.ts';
import type { CallDesk } from '../calls/desk.ts';
import { editorCapabilities } from '../calls/editor-capabilities.ts';
import { callLog } from '../log/call-log.ts';
import type { Log } from '../log/log.ts';
import type { EarlierWindows } from '../ongoing/earlier-windows.ts';
import { withLoansFor } from './looking-only.ts';

/** Calls that an MCP server starts, as the editor's own: each has its panel and its place in the Calls view. */
export interface AdoptedCalls {
  /** The desk's manager: what it creates is adopted. */
  readonly manager: SessionManager;
  /** Keeps calls that wait for their client, for windows to come, and finds those of earlier ones. */
  readonly waiting: WaitingCalls;
  /** The editor as the client of whichever of these calls asks it. */
  readonly editor: Client;
}

/**
 * @param known waits until it is known where a call of an earlier window is
 * @param askerOf who asked, from what the server creates a call with
 */
export function createAdoptedCalls(
  desk: CallDesk,
  known: EarlierWindows['known'],
  log: Pick<Log, 'call'>,
  askerOf: (options: Pick<CreateSession, 'principal' | 'claims'>) => Asker,
): AdoptedCalls {
  const { manager } = desk;
  const clientOf = (session: Session): Client => desk.adopt(session, askerOf(session));
  return {
    manager: {
      *create(options: CreateSession) {
        const asker = askerOf(options);
        const create = () => manager.create(options);
        const session = yield* asker.kind === 'client'
          ? withLoansFor(toolOf(options.tool), create)
          : create();
        desk.adopt(session, asker);
        keepLog(session, log);
        return session;
      },
      resume: (options) => manager.resume(options),
      unload: (name) => manager.unload(name),
      setAside: (name, gone) => manager.setAside(name, gone),
      continueWith: (session, options) => manager.continueWith(session, options),
      get: (name) => manager.get(name),
      abort: (name, reason) => manager.abort(name, reason),
      forget: (name) => manager.forget(name),
      listActive: () => manager.listActive(),
      subscribe: (listener) => manager.subscribe(listener),
    },
    waiting: {
      keep: desk.waiting.keep,
      *find(name) {
        yield* known(name.callId);
        return yield* desk.waiting.find(name);
      },
    },
    editor: {
      name: 'editor',
      capabilities: () => editorCapabilities,
      can: () => true,
      maxAttempts: () => Number.POSITIVE_INFINITY,
      *elicit(ask, io) {
        const { elicit } = clientOf(io.session);
        if (!elicit) throw new Error('the editor cannot answer this');
        return yield* elicit(ask, io);
      },
      *sample(ask, io) {
        const { sample } = clientOf(io.session);
        if (!sample) throw new Error('the editor cannot answer this');
        return yield* sample(ask, io);
      },
      *roots(ask, io) {
        const { roots } = clientOf(io.session);
        if (!roots) throw new Error('the editor cannot answer this');
        return yield* roots(ask, io);
      },
    },
  };
}

/** Its log goes to the output channel as well, whichever client drives it. */
function keepLog(session: Session, log: Pick<Log, 'call'>): void {
  const tell = callLog(log, session);
  const missed = session.events();
  session.subscribe(tell);
  for (const event of missed) tell(event);
}
