import type { Operation } from 'effection';
import { ElicitationInvalidError } from '../../core/errors/elicit-errors.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import type { Answer, Ask } from '../session/ask.ts';
import { MAX_ATTEMPTS } from '../session/attempts.ts';
import type { AskIo, Client } from '../session/client.ts';
import type { Session } from '../session/session.ts';

/** Whether a client has a verb for asks of this kind. */
export function hasVerb(client: Client, ask: Ask): boolean {
  return client[ask.kind] !== undefined;
}

/** Who hears how a verb fares. */
export interface VerbListener {
  /** The client has answered: what comes of that is its session's to say. */
  given(): void;
  /** It takes the ask elsewhere. */
  elsewhere(): void;
  /** It failed when nobody waited for its answer any more. */
  tooLate(error: unknown): void;
}

/** Runs a client's verb for an ask, and hands what comes of it to the session. Never fails. */
export function* answer(
  session: Session,
  client: Client,
  ask: Ask,
  { given: hasGiven, elsewhere, tooLate }: VerbListener,
): Operation<void> {
  try {
    const given = yield* runVerb(client, ask, ioOf(session, ask));
    if (given === undefined) return elsewhere();
    hasGiven();
    yield* session.respond(ask.id, given);
  } catch (error) {
    // Another surface was faster.
    if (isParleyError(error, 'ASK_CLOSED') || isParleyError(error, 'ANSWER_STALE')) return;
    // It has not counted: the ask is open, and was announced again.
    if (isParleyError(error, 'JOURNAL_WRITE')) return tooLate(error);
    try {
      yield* session.fail(ask.id, error);
    } catch {
      // Closed meanwhile: the tool has no line left to throw it at.
      tooLate(error);
    }
  }
}

/** Whether a client has answered a question wrongly as often as it may. Then the question fails, and that is that. */
export function gaveUp(session: Session, client: Client, ask: Ask, answers: number): boolean {
  if (ask.kind !== 'elicit' || answers < (client.maxAttempts?.(ask) ?? MAX_ATTEMPTS)) return false;
  session.fail(
    ask.id,
    new ElicitationInvalidError({ key: ask.ref.key, attempts: answers, problem: ask.problem ?? 'unknown' }),
  );
  return true;
}

function* runVerb(client: Client, ask: Ask, io: AskIo): Operation<Answer | undefined> {
  switch (ask.kind) {
    case 'elicit':
      return yield* client.elicit?.(ask, io) ?? none();
    case 'sample':
      return yield* client.sample?.(ask, io) ?? none();
    case 'roots':
      return yield* client.roots?.(ask, io) ?? none();
  }
}

function* none(): Operation<undefined> {
  return undefined;
}

function ioOf(session: Session, ask: Ask): AskIo {
  return {
    session,
    *offClock(op) {
      const resume = session.pauseClock(ask.id);
      try {
        return yield* op();
      } finally {
        resume();
      }
    },
  };
}
