import { ElicitationFailedError } from '../../../core/errors/elicit-errors.ts';
import { ParleyError, toError } from '../../../core/errors/parley-error.ts';
import {
  ModelQuotaError,
  NoModelError,
  SamplingError,
  SamplingRefusedError,
} from '../../../core/errors/sampling-errors.ts';
import type { RpcErrorObject } from './json-rpc.ts';
import { RPC, RpcError } from './rpc-error.ts';

/** What a client answers with when its user refused. Source: MCP "Sampling", "Error handling". */
const USER_REJECTED = -1;

/** Whether a client's error says that its user refused: nothing but this code does. */
export function isRefusal(thrown: unknown): boolean {
  const { cause } = toError(thrown);
  return cause instanceof RpcError && cause.code === USER_REJECTED;
}

/** What was asked of a client, for messages. */
export interface AskedPeer {
  readonly client: string;
  readonly kind: 'elicit' | 'sample' | 'roots';
}

/** What a client answers in place of a result, as a tool catches it. */
export function peerError({ code, message, data }: RpcErrorObject, { client, kind }: AskedPeer): ParleyError {
  const cause = new RpcError(code, message, data);
  if (kind === 'sample') return samplingError(cause, client);
  const problem =
    code === RPC.methodNotFound ? 'it does not know the request, though it declared it' : message;
  if (kind === 'elicit') return new ElicitationFailedError({ client, problem, cause });
  return new ParleyError('ANSWER_INVALID', `${client} could not answer: ${problem}`, { cause });
}

function samplingError(cause: RpcError, client: string): ParleyError {
  const { code, message } = cause;
  if (code === USER_REJECTED) return new SamplingRefusedError(undefined, { cause });
  if (/\bno (language )?models?\b/i.test(message)) return new NoModelError(undefined, { cause });
  if (/\b(quota|rate.?limit)/i.test(message)) return new ModelQuotaError(undefined, { cause });
  return new SamplingError(`${client} could not ask its model: ${message}`, { cause });
}
