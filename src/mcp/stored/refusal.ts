import { isParleyError } from '../../core/errors/errors.ts';
import type { ServerParts } from '../host.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';

/** What a client is told of a call that a newer Parley keeps: nothing is done with it here, so that that one can go on. */
export function newerRefusal(): RpcError {
  return new RpcError(
    RPC.refused,
    'This call was started by a newer version of this server, which must continue it: send the same request again until that version receives it',
  );
}

/** What a client is told of a store that fails: never where it is. Other errors stay what they are. */
export function storeRefusal({ report }: Pick<ServerParts, 'report'>, error: unknown): unknown {
  if (isParleyError(error, 'CLAIM_LOST') || isParleyError(error, 'SESSION_EXISTS')) {
    return new RpcError(RPC.refused, 'This call continues in another process: send the same request again');
  }
  if (!isParleyError(error) || !error.code.startsWith('STORE_')) return error;
  report('a call could not be saved', error, 'state');
  // It never gets better: to try again later would be for ever.
  if (error.code === 'STORE_DAMAGED')
    return invalidParams('What was saved of this call is damaged: make the call again from the start');
  const full = error.code === 'STORE_FULL';
  return new RpcError(
    RPC.refused,
    full
      ? 'This server has reached its storage limit: try again later'
      : 'This server cannot save calls now: try again later',
  );
}
