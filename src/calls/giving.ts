import type { Operation } from 'effection';
import { McpCapabilityError } from '../core/errors/call-errors.ts';
import { ElicitationInvalidError } from '../core/errors/elicit-errors.ts';
import { sizeOf } from '../runtime/data/size-of.ts';
import type { Ask } from '../runtime/session/ask.ts';
import { MAX_ATTEMPTS } from '../runtime/session/attempts.ts';
import { missingCapability, requirementOf } from '../runtime/session/capabilities.ts';
import type { Client } from '../runtime/session/client.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallMessage } from './messages.ts';
import type { GiveAnswer } from './port.ts';

/** Most answers that are kept for questions to come, and the most memory that they may take, bytes. */
const MAX_EARLY = 100;
const MAX_EARLY_BYTES = 64 * 1024;

/** Where the answers of a message go. */
export interface GivingParts {
  readonly session: Session;
  readonly give: GiveAnswer;
  /** Whether a question is one that a message may answer. */
  takes(ask: Ask): boolean;
  /** Answers that wait for their questions, by key; each is used once. */
  readonly early: Map<string, unknown>;
  /** Nothing was asked yet when it was written: all that it says is early. */
  readonly first: boolean;
  /** The call has gone back since: what is early is of what was taken back. */
  readonly wentBack: boolean;
  /** Which attempts were seen. Without one, it is the attempt that is open. */
  readonly seen: CallMessage['seen'];
  /** Whose the answers are. */
  readonly by?: CallMessage['by'];
}

/**
 * Gives answers to the questions that they are for: those that are open, and those that open later under a name of their own, until
 * `stop`. What `given` has ends when the answers are durable.
 */
export function giveAnswers(
  { session, give, takes, early, first, wentBack, seen = {}, by }: GivingParts,
  answers: Readonly<Record<string, unknown>> = {},
): { readonly given: readonly Operation<void>[]; stop(): void } {
  const given: Operation<void>[] = [];
  const answer = (ask: Ask, wire: unknown) => {
    // Somebody else answers this one, whatever the message says.
    if (!takes(ask)) return;
    try {
      const durable = give(session, ask, wire, seen[ask.id] ?? ask.attempt, by);
      if (durable) given.push(durable);
    } catch {
      // Too late: it is closed, or is asked again.
    }
  };
  const answerEarly = (ask: Ask) => {
    // What was said before a person was asked is no person's answer.
    if (ask.kind === 'elicit' && ask.person) return;
    if (ask.attempt > 1 || !early.has(ask.wireKey) || !takes(ask)) return;
    const wire = early.get(ask.wireKey);
    early.delete(ask.wireKey);
    answer(ask, wire);
  };
  const asked = first ? [] : session.openAsks();
  const keys = new Set(asked.map(({ wireKey }) => wireKey));
  for (const [key, wire] of wentBack ? [] : Object.entries(answers)) {
    if (keys.has(key) || key.includes('#') || wasAsked(session, key)) continue;
    if (early.size < MAX_EARLY && sizeOf([...early, key, wire], MAX_EARLY_BYTES) <= MAX_EARLY_BYTES)
      early.set(key, wire);
  }
  const stop = session.subscribe((event) => {
    // They were said of what is taken back now.
    if (event.type === 'rewound') early.clear();
    if (!('ask' in event)) return;
    const { ask } = event;
    if (ask.kind === 'elicit' && ask.attempt > MAX_ATTEMPTS && takes(ask))
      session.fail(
        ask.id,
        new ElicitationInvalidError({ key: ask.ref.key, attempts: MAX_ATTEMPTS, problem: ask.problem ?? '' }),
      );
    else answerEarly(ask);
  });
  for (const ask of asked) if (Object.hasOwn(answers, ask.wireKey)) answer(ask, answers[ask.wireKey]);
  // Of what has opened while nobody was there to be given it, too.
  for (const ask of session.openAsks())
    if (!keys.has(ask.wireKey) || !Object.hasOwn(answers, ask.wireKey)) answerEarly(ask);
  return { given, stop };
}

/** Whether a question of this key is closed: a message that comes again brings answers that have been given. */
function wasAsked(session: Session, key: string): boolean {
  if (session.openAsks().some((ask) => ask.wireKey === key)) return false;
  return session.journal().lines.some((line) => line.t === 'open' && line.key === key);
}

/** Whether an ask is answered by a message of this client's: it can, and no verb here does it. */
export function isTakenElsewhere(client: Client, ask: Ask): boolean {
  const who = client.pick ? client.pick(ask) : client;
  return who?.can(ask) === true && who[ask.kind] === undefined;
}

/** Fails questions that a client cannot be asked. Says whether there were any. */
export function failUnanswerable(session: Session, client: Client, asks: readonly Ask[]): boolean {
  let failed = false;
  for (const ask of asks) {
    if (client.can(ask)) continue;
    const lacking = missingCapability(requirementOf(ask), client.capabilities()) ?? 'elicitation';
    session.fail(ask.id, new McpCapabilityError({ toolName: session.toolName, capability: lacking }));
    failed = true;
  }
  return failed;
}
