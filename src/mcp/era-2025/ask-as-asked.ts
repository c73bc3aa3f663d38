import type { Operation } from 'effection';
import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { decodeRoots } from '../wire/roots.ts';
import { isRefusal } from '../wire/rpc/peer-errors.ts';
import { decodeSample } from '../wire/sample.ts';
import { askPeer, type Peer } from './peer.ts';

type Params = Readonly<Record<string, unknown>>;

const KINDS = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'roots',
} as const;

/**
 * Asks a client a question that another process asks, as that one put it on the wire, and gives its answer as it is there; nothing for a
 * question that it cannot be asked.
 */
export function askAsAsked(peer: Peer, question: unknown, id: string): Operation<unknown> | undefined {
  if (!isObject(question) || !Object.hasOwn(KINDS, String(question.method))) return undefined;
  const method = question.method as keyof typeof KINDS;
  const params = isObject(question.params) ? question.params : {};
  return can(peer.capabilities(), method, params) ? asked(peer, method, params, id) : undefined;
}

function* asked(peer: Peer, method: keyof typeof KINDS, params: Params, id: string): Operation<unknown> {
  const page = params.mode === 'url' ? { elicitationId: id } : {};
  try {
    const wire = yield* askPeer(peer, KINDS[method], method, { ...params, ...page });
    // What is no answer at all would be ignored there, and nobody would be asked again.
    if (method === 'sampling/createMessage') decodeSample(wire);
    if (method === 'roots/list') decodeRoots(wire);
    return wire;
  } catch (error) {
    if (method === 'elicitation/create' && isRefusal(error)) return { action: 'decline' };
    throw error;
  }
}

function can(
  { elicitation, sampling, roots }: ClientCapabilities,
  method: keyof typeof KINDS,
  params: Params,
) {
  switch (method) {
    case 'elicitation/create':
      return (params.mode === 'url' ? elicitation?.url : elicitation?.form) === true;
    case 'sampling/createMessage':
      return sampling !== undefined && (params.tools === undefined || sampling.tools === true);
    case 'roots/list':
      return roots === true;
  }
}
