import type { ElicitAnswer } from '../../core/tool/ask.ts';
import { profileOf } from './profile.ts';

/** No person reads a question and refuses it in less, milliseconds. */
const FASTEST_PERSON = 150;

/**
 * A client's answer with whose it is: a refusal that comes faster than a person's, from a client that is known to refuse by itself, is the
 * client's. An answer counts however fast.
 *
 * @param waited how long the question was with the client, milliseconds
 */
export function withWhose(
  answer: ElicitAnswer<unknown>,
  clientInfo: unknown,
  waited: number,
): ElicitAnswer<unknown> {
  const isPersons =
    answer.action === 'accept' ||
    answer.action === 'reply' ||
    waited >= FASTEST_PERSON ||
    !profileOf(clientInfo).answersItself;
  return isPersons ? answer : { ...answer, answeredBy: 'client' };
}

/** When rounds were sent whose questions a person cannot have refused yet, by their names, oldest first. */
const sentRounds = new Map<string, number>();

/** Questions are on their way to their client, which comes back with the name of their round (2026). */
export function roundSent(round: unknown, clientInfo: unknown, now = performance.now()): void {
  for (const [old, at] of sentRounds) {
    if (now - at < FASTEST_PERSON) break;
    sentRounds.delete(old);
  }
  if (typeof round !== 'string' || sentRounds.has(round)) return;
  if (profileOf(clientInfo).answersItself) sentRounds.set(round, now);
}

/** How long the questions of a round have been with their client, milliseconds; for ever, where that is not known. */
export function waitedFor(round: unknown, now = performance.now()): number {
  const at = typeof round === 'string' ? sentRounds.get(round) : undefined;
  return at === undefined ? Number.POSITIVE_INFINITY : now - at;
}
