import { isObject } from '../../../core/schema/is-object.ts';
import { isResponse, type RpcMessage } from './json-rpc.ts';
import { RPC, shortened } from './rpc-error.ts';

/** An answer of the SDK on a channel: what it refuses itself repeats what the client sent, however long. */
export function shortRefusal(message: RpcMessage): RpcMessage {
  return isResponse(message) && 'error' in message && message.error.code === RPC.unsupportedVersion
    ? short(message)
    : message;
}

/** An answer of the SDK over HTTP, where it refuses more: headers that do not say what the body says. */
export async function shortResponse(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (status < 400 || !headers.get('content-type')?.startsWith('application/json')) return response;
  return Response.json(short((await response.json()) as RpcMessage), { status, headers });
}

/** With its id as it was: the client finds its request by it. */
function short(message: RpcMessage): RpcMessage {
  return 'error' in message ? { ...message, error: briefly(message.error) as typeof message.error } : message;
}

function briefly(value: unknown): unknown {
  if (typeof value === 'string') return shortened(value);
  if (Array.isArray(value)) return value.map(briefly);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, briefly(one)]));
}
