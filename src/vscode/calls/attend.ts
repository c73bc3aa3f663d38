import { type Operation, suspend } from 'effection';
import { nameOfCall } from '../../calls/messages.ts';
import type { Calls } from '../../calls/port.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { editorCapabilities } from './editor/editor-capabilities.ts';

/** The editor as a client: it has all verbs. */
export type EditorClient = Client & Required<Pick<Client, 'elicit' | 'sample' | 'roots'>>;

/** How a call is answered in the editor. */
export interface Answered {
  readonly client: EditorClient;
  /** The person should notice what is asked: its panel opens. */
  asked(): void;
}

/** Attaches a client to a call that runs here, to its end. */
export function* attendCall(calls: Calls, session: Session, client: Client): Operation<EndEvent> {
  const over = session.ended();
  if (over) return over;
  try {
    const { end } = yield* calls.attach(nameOfCall(session), { client, resume: notAnew }, 'end');
    if (end) return end;
  } catch (error) {
    const end = session.ended();
    if (end) return end;
    throw error;
  }
  throw new Error('a call was left before its end');
}

/** It runs here already. */
function* notAnew(): Operation<never> {
  throw new Error('a call of this window is over');
}

/**
 * The panel of a call that a client is asked in, too: who answers first counts. It opens for nothing, answers where it may, and leaves the rest to
 * that client, who may be back later.
 */
export function panelBeside(
  { elicit }: EditorClient,
  promised: ClientCapabilities,
  mayAnswer: () => boolean,
): Client {
  const panel: Client = {
    name: 'panel',
    capabilities: () => promised,
    can: (ask) => canAnswer(promised, ask),
    maxAttempts: () => Number.POSITIVE_INFINITY,
  };
  const answering: Client = { ...panel, elicit };
  return {
    ...panel,
    pick: (ask) => (ask.kind === 'elicit' && (ask.inEditor === true || mayAnswer()) ? answering : panel),
  };
}

/** The editor as the client of whichever call asks it; the panels of these calls are attached to them. */
export function editorOf(answered: (session: Session) => Answered): EditorClient {
  return {
    name: 'editor',
    capabilities: () => editorCapabilities,
    can: () => true,
    maxAttempts: () => Number.POSITIVE_INFINITY,
    *elicit(_, { session }) {
      answered(session).asked();
      // Its panel answers.
      return yield* suspend() as Operation<never>;
    },
    sample: (ask, io) => answered(io.session).client.sample(ask, io),
    roots: (ask, io) => answered(io.session).client.roots(ask, io),
  };
}
