import { McpDisconnectError, McpTimeoutError } from '../../../core/errors/call-errors.ts';
import { ElicitationFailedError } from '../../../core/errors/elicit-errors.ts';
import { ParleyError, toError } from '../../../core/errors/parley-error.ts';
import {
  ModelQuotaError,
  NoModelError,
  SamplingError,
  SamplingRefusedError,
} from '../../../core/errors/sampling-errors.ts';
import { RPC } from './rpc-error.ts';

/** Codes that the SDK gives its own errors: the peer did not answer in time, or is gone. */
const SDK = { timeout: -32001, closed: -32000 } as const;

/** What a client answers with when its user refused. Source: MCP "Sampling", "Error handling". */
const USER_REJECTED = -1;

/** Whether a client's error says that its user refused: nothing but this code does. */
export function isRefusal(thrown: unknown): boolean {
  return toError(thrown).cause instanceof Error && codeOf(toError(thrown).cause) === USER_REJECTED;
}

function codeOf(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
}

/** What was asked of a client, for messages. */
export interface AskedPeer {
  readonly client: string;
  readonly kind: 'elicit' | 'sample' | 'roots';
  /** Milliseconds it had. */
  readonly timeout: number;
}

/** The error of a client, or of the connection to it, as a tool catches it. */
export function peerError(thrown: unknown, asked: AskedPeer): ParleyError {
  const error = toError(thrown);
  const code = codeOf(error);
  if (code === SDK.timeout)
    return new McpTimeoutError({ what: `${asked.client}'s answer`, timeout: asked.timeout, cause: error });
  if (code === SDK.closed || /^(Not connected|Connection closed)/.test(error.message)) {
    return new McpDisconnectError({ client: asked.client, cause: error });
  }
  if (asked.kind === 'sample') return samplingError(error, code, asked.client);
  const unknown =
    code === RPC.methodNotFound ? 'it does not know the request, though it declared it' : error.message;
  if (asked.kind === 'elicit')
    return new ElicitationFailedError({ client: asked.client, problem: unknown, cause: error });
  return new ParleyError('ANSWER_INVALID', `${asked.client} could not answer: ${unknown}`, { cause: error });
}

function samplingError(error: Error, code: unknown, client: string): ParleyError {
  const cause = { cause: error };
  if (code === USER_REJECTED) return new SamplingRefusedError(undefined, cause);
  if (/\bno (language )?models?\b/i.test(error.message)) return new NoModelError(undefined, cause);
  if (/\b(quota|rate.?limit)/i.test(error.message)) return new ModelQuotaError(undefined, cause);
  return new SamplingError(`${client} could not ask its model: ${error.message}`, cause);
}
