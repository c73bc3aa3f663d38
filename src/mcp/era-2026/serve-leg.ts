import { type Operation, race, sleep } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import { ElicitationInvalidError } from '../../core/errors/elicit-errors.ts';
import { sizeOf } from '../../runtime/data/size-of.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import { MAX_ATTEMPTS } from '../../runtime/session/attempts.ts';
import { missingCapability, requirementOf } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { PagedLeg } from '../apps/paged-request.ts';
import type { RequestedCall, Result } from '../request/open-call.ts';
import { digestOf } from '../wire/state/state.ts';
import { type Brought, type CallHome, isLeg, type Leg } from './call-home.ts';
import { encodeInputRequests, giveResponse } from './input-requests.ts';

/** Between two looks at a call that asks while a step of it runs, milliseconds. */
const BUSY = 20;

/** Runs a call until it ends or waits for its client, and gives what the request is answered with. @throws `RpcError` */
export function* serveLeg(
  home: CallHome,
  call: RequestedCall,
  brought: Brought,
  pages?: LegPages,
): Operation<Result> {
  const { callable, principal } = call;
  const { method, name, given } = callable;
  const binding = { principal, method, name, digest: digestOf(given) };
  const leg = yield* home.open(call, brought, binding);
  if (!isLeg(leg)) return leg;
  if (!pages) return yield* call.attended(leg.session, () => run(leg, call, brought));
  const paged = pages(leg.session);
  if (!paged) return yield* call.attended(leg.session, () => run(leg, call, brought));
  try {
    return yield* call.attended(leg.session, () => run(leg, call, brought, paged));
  } finally {
    paged.over();
  }
}

/** Makes pages findable for a session, for one leg. */
export type LegPages = (session: Session) => PagedLeg | undefined;

function* run(leg: Leg, call: RequestedCall, brought: Brought, pages?: PagedLeg): Operation<Result> {
  const { session } = leg;
  const letGo = leg.keepUp?.();
  const stopAnswering = giveAnswers(leg, call.rest, brought, pages);
  let { client } = call;
  let stranded = false;
  try {
    for (;;) {
      const driven = drive(session, client, 'blocked', { after: leg.at });
      const reached = yield* pages && !stranded ? race([driven, pages.stranded]) : driven;
      if (!reached) {
        if (leg.leave && pages?.goOn && pages.isOnlyWay?.(call)) {
          leg.leave();
          return pages.goOn(call, session);
        }
        // No page speaks: what is open goes back with this request's answer.
        client = (leg.leave && pages?.rest?.(call.rest)) || call.rest;
        stranded = true;
        leg.at = session.events(leg.at).at(-1)?.at ?? leg.at;
        continue;
      }
      if (reached.type !== 'parked') {
        const result = call.finish(reached);
        yield* leg.end(result);
        return result;
      }
      leg.at = reached.at;
      if (failUnanswerable(session, client, reached.asks)) continue;
      if (leg.isBusy?.()) {
        yield* sleep(BUSY);
        continue;
      }
      const questions = yield* leg.park({
        resultType: 'input_required',
        inputRequests: encodeInputRequests(
          reached.asks.map((ask) => pages?.asked?.(ask) ?? ask),
          (ask) => call.trace.metaOf(session, ask),
          call.clientInfo,
        ),
      });
      if (leg.leave) pages?.waits(call);
      return questions;
    }
  } catch (error) {
    yield* leg.fail();
    throw error;
  } finally {
    stopAnswering();
    letGo?.();
  }
}

/** Most answers that are kept for questions to come, and the most memory that they may take, bytes. */
const MAX_EARLY = 100;
const MAX_EARLY_BYTES = 64 * 1024;

/**
 * Gives the answers of a request to the questions they are for: those it was asked, and those that open later under a
 * name of their own (an answer may come before its question). Returns what ends that.
 */
export function giveAnswers(
  { session, early, wentBack = false }: Leg,
  client: Client,
  { state, responses }: Brought,
  pages?: PagedLeg,
): () => void {
  const give = (ask: Ask, wire: unknown) => {
    if (pages?.takes?.(ask, wire)) return;
    // Somebody else answers this one, whatever the client sends.
    if (!isTakenElsewhere(client, ask)) return;
    try {
      giveResponse(session, ask, wire);
    } catch {
      // Too late: it is closed, or is asked again.
    }
  };
  const giveEarly = (ask: Ask) => {
    if (ask.attempt > 1 || !early.has(ask.wireKey)) return;
    const wire = early.get(ask.wireKey);
    early.delete(ask.wireKey);
    give(ask, wire);
  };

  const asked = state === undefined ? [] : session.openAsks();
  const keys = new Set(asked.map((ask) => ask.wireKey));
  for (const [key, wire] of wentBack ? [] : Object.entries(responses)) {
    if (keys.has(key) || key.includes('#') || wasAsked(session, key)) continue;
    if (early.size < MAX_EARLY && fits(early, key, wire)) early.set(key, wire);
  }
  const stop = session.subscribe((event) => {
    // They were said of what is taken back now.
    if (event.type === 'rewound') early.clear();
    if (!('ask' in event)) return;
    const { ask } = event;
    if (ask.kind === 'elicit' && ask.attempt > MAX_ATTEMPTS) {
      session.fail(ask.id, new ElicitationInvalidError(ask.ref.key, MAX_ATTEMPTS, ask.problem ?? ''));
    } else giveEarly(ask);
  });
  for (const ask of asked) if (Object.hasOwn(responses, ask.wireKey)) give(ask, responses[ask.wireKey]);
  if (state === undefined) for (const ask of session.openAsks()) giveEarly(ask);
  return stop;
}

/** Whether a question of this key is closed: a request that comes again brings answers that have been given. */
function wasAsked(session: Session, key: string): boolean {
  if (session.openAsks().some((ask) => ask.wireKey === key)) return false;
  return session.journal().lines.some((line) => line.t === 'open' && line.key === key);
}

/** Whether an ask goes to the client at the other end of the wire: it can answer, and no verb here does it. */
export function isTakenElsewhere(client: Client, ask: Ask): boolean {
  const who = client.pick ? client.pick(ask) : client;
  return who?.can(ask) === true && who[ask.kind] === undefined;
}

function fits(early: ReadonlyMap<string, unknown>, key: string, wire: unknown): boolean {
  return sizeOf([...early, key, wire], MAX_EARLY_BYTES) <= MAX_EARLY_BYTES;
}

/** Fails questions that this request's client cannot be asked. Says whether there were any. */
export function failUnanswerable(session: Session, client: Client, asks: readonly Ask[]): boolean {
  let failed = false;
  for (const ask of asks) {
    if (client.can(ask)) continue;
    const lacking = missingCapability(requirementOf(ask), client.capabilities()) ?? 'elicitation';
    session.fail(ask.id, new McpCapabilityError(session.toolName, lacking));
    failed = true;
  }
  return failed;
}
