import { StoreFullError } from '../core/errors/store-errors.ts';
import type { CallName } from '../runtime/journal/call-store.ts';

/** One call is too large. */
export function callIsFull({ callId }: CallName, { callBytes }: { readonly callBytes: number }): Error {
  return new StoreFullError(
    `the call '${callId}' needs more storage than ${Math.ceil(callBytes / 2 ** 20)} MB, which is the limit. End it, or let its steps return less.`,
  );
}

/** There are too many calls, and none of them can give way. */
export function storeIsFull(full: string): Error {
  return new StoreFullError(
    `${full} already, which is the limit. End some of them, or raise the limit, and try again.`,
  );
}

/** For the operator of the server: a waiting call was dropped. */
export function gaveWay(full: string): Error {
  return new StoreFullError(
    `${full} already: the oldest waiting call of the principal with the most calls was ended.`,
  );
}
