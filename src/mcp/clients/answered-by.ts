import type { AnsweredBy } from '../../core/tool/elicit-refusal.ts';
import { keepLast } from '../../runtime/data/keep-last.ts';
import { profileOf } from './profile.ts';

/** No person reads a question and answers it in less, milliseconds. */
const FASTEST_PERSON = 150;

/**
 * Whose a client's answer is. What comes faster than from a person is the client's, where that is known to answer by itself; later it is
 * the person's, where people are known to sit before it.
 *
 * @param person only a person may give it
 * @param waited how long the question was with the client, milliseconds
 */
export function answeredBy(clientInfo: unknown, waited: number, person = false): AnsweredBy {
  const { answersItself, people } = profileOf(clientInfo);
  if (waited < FASTEST_PERSON) return answersItself || person ? 'client' : 'unknown';
  return people ? 'person' : 'unknown';
}

/** When questions were first sent that come back with another message, by the name of their round (2026), or of their task. */
const firstSent = new Map<string, number>();

/** Of how many that is known, and how much of a name tells it from others: a round may be a whole call, sealed. */
const MOST = 1_000;
const TOLD_APART = 100;

/** Questions are on their way to their client. */
export function roundSent(round: unknown, now = performance.now()): void {
  if (typeof round !== 'string') return;
  const name = round.slice(-TOLD_APART);
  if (!firstSent.has(name)) keepLast(firstSent, [name, now], MOST);
}

/** How long the questions of a round have been with their client, milliseconds; for ever, where that is not known. */
export function waitedFor(round: unknown, now = performance.now()): number {
  const at = typeof round === 'string' ? firstSent.get(round.slice(-TOLD_APART)) : undefined;
  return at === undefined ? Number.POSITIVE_INFINITY : now - at;
}
