import { isObject } from '../../../core/schema/is-object.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';

/**
 * Whether a server said over HTTP that it does not know a method. In 2026-07-28 that comes with the status 404, as does that a session is
 * forgotten before: only the body says which.
 */
export function isUnknownMethod(error: unknown): boolean {
  if (!(error instanceof Error && 'data' in error && isObject(error.data))) return false;
  const { text } = error.data;
  if (typeof text !== 'string') return false;
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && isObject(body.error) && body.error.code === RPC.methodNotFound;
  } catch {
    return false;
  }
}
