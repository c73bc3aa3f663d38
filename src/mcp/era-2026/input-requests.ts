import type { Operation } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AnsweredBy } from '../../core/tool/elicit-refusal.ts';
import { type Answer, type Ask, type ElicitAsk, pageIdOf } from '../../runtime/session/ask.ts';
import type { Session } from '../../runtime/session/session.ts';
import { decodeElicit, encodeElicit } from '../wire/elicit.ts';
import { decodeRoots } from '../wire/roots.ts';
import { decodeSample, encodeSample } from '../wire/sample.ts';

/** A question as it stands in `inputRequests`. Source: MCP 2026-07-28, "Multi round-trip requests". */
export interface InputRequest {
  readonly method: 'elicitation/create' | 'sampling/createMessage' | 'roots/list';
  readonly params: Readonly<Record<string, unknown>>;
}

type Params = InputRequest['params'];

/** The questions of one round, by their keys; each carries what `more` says. */
export function encodeInputRequests(
  asks: readonly Ask[],
  more: (ask: Ask) => Params,
  clientInfo: unknown,
): Readonly<Record<string, InputRequest>> {
  return Object.fromEntries(asks.map((ask) => [ask.wireKey, encodeInputRequest(ask, more(ask), clientInfo)]));
}

/** This revision has no ids of pages any more, and takes them all the same; clients that read it as the one before need them. */
function pageId(ask: ElicitAsk): { readonly elicitationId?: string } {
  return ask.request.mode === 'url' ? { elicitationId: pageIdOf(ask) } : {};
}

/** One question, as it stands in `inputRequests`. */
export function encodeInputRequest(ask: Ask, more: Params, clientInfo?: unknown): InputRequest {
  switch (ask.kind) {
    case 'elicit':
      return {
        method: 'elicitation/create',
        params: { ...encodeElicit(ask, clientInfo), ...pageId(ask), ...more },
      };
    case 'sample':
      return { method: 'sampling/createMessage', params: { ...encodeSample(ask.request), ...more } };
    case 'roots':
      return { method: 'roots/list', params: more };
  }
}

/**
 * Gives a session what `inputResponses` have for one of its asks, and gives what ends when that is durable. Nothing where it is
 * no answer at all: the question is still open.
 *
 * @throws what `respond` throws
 */
export function giveResponse(
  session: Session,
  ask: Ask,
  wire: unknown,
  attempt = ask.attempt,
  by?: AnsweredBy,
): Operation<void> | undefined {
  let answer: Answer;
  try {
    answer = decodeInputResponse(ask, wire, by);
  } catch (error) {
    return isParleyError(error, 'SAMPLING_REFUSED') ? session.fail(ask.id, error) : undefined;
  }
  return session.respond(ask.id, answer, attempt);
}

/** @throws `ParleyError` when it is no answer to this kind of question */
function decodeInputResponse(ask: Ask, wire: unknown, by: AnsweredBy | undefined): Answer {
  switch (ask.kind) {
    case 'elicit':
      return { ...decodeElicit(wire), ...defined({ answeredBy: by }) };
    case 'sample':
      return decodeSample(wire);
    case 'roots':
      return decodeRoots(wire);
  }
}
