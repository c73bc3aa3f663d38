import type { Operation } from 'effection';
import { errorData } from '../../core/errors/error-data.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import { drive } from '../../runtime/drive/drive.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Callable } from '../catalog/callable.ts';
import { keepAlive } from '../heartbeat.ts';
import type { ServerParts } from '../host.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';

/** One call of a 2025-era request. */
export interface CallRequest {
  readonly callable: Callable;
  readonly client: Client;
  readonly principal: string;
  readonly conversation: string;
  /** Aborts when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Says on the wire that the call lives. */
  heartbeat(message: string): void;
}

/** Runs a call to its end and gives what the request is answered with. @throws `RpcError` */
export function* serveCall(
  host: ServerParts,
  request: CallRequest,
): Operation<Readonly<Record<string, unknown>>> {
  const { callable, client, signal } = request;
  const created = yield* create(host, request);
  if (!created.ok) return created.refusal;
  const { session } = created;
  const abort = () => {
    const down = host.run(() => session.abort(String(signal.reason ?? 'the client cancelled it')));
    down.catch((cause) => host.report('a cancelled call did not end well', cause));
  };
  const stop = keepAlive(session, host.heartbeat, () => request.heartbeat('waiting for an answer'));
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    return callable.finish(yield* drive(session, client, 'end'));
  } finally {
    signal.removeEventListener('abort', abort);
    stop();
  }
}

type Created =
  | { readonly ok: true; readonly session: Session }
  | { readonly ok: false; readonly refusal: Readonly<Record<string, unknown>> };

function* create(host: ServerParts, request: CallRequest): Operation<Created> {
  const { callable, client, principal, conversation } = request;
  try {
    const session = yield* host.manager.create({
      tool: callable.served,
      params: callable.params,
      capabilities: client.capabilities(),
      principal,
      conversation,
    });
    return { ok: true, session };
  } catch (error) {
    if (isParleyError(error, 'SESSION_LIMIT')) throw new RpcError(RPC.refused, error.message);
    return { ok: false, refusal: callable.refuse(errorData(error)) };
  }
}
