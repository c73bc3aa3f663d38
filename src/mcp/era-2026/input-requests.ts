import type { Answer, Ask } from '../../runtime/session/ask.ts';
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
): Readonly<Record<string, InputRequest>> {
  return Object.fromEntries(asks.map((ask) => [ask.wireKey, encodeInputRequest(ask, more(ask))]));
}

/** One question, as it stands in `inputRequests`. */
export function encodeInputRequest(ask: Ask, more: Params): InputRequest {
  switch (ask.kind) {
    case 'elicit':
      return { method: 'elicitation/create', params: { ...encodeElicit(ask), ...more } };
    case 'sample':
      return { method: 'sampling/createMessage', params: { ...encodeSample(ask.request), ...more } };
    case 'roots':
      return { method: 'roots/list', params: more };
  }
}

/** An answer out of `inputResponses`. @throws `ParleyError` when it is none for this kind of question */
export function decodeInputResponse(ask: Ask, wire: unknown): Answer {
  switch (ask.kind) {
    case 'elicit':
      return decodeElicit(wire);
    case 'sample':
      return decodeSample(wire);
    case 'roots':
      return decodeRoots(wire);
  }
}
