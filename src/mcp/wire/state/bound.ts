import { isObject } from '../../../core/schema/is-object.ts';
import { invalidParams, type RpcError } from '../rpc/rpc-error.ts';

/** What a `requestState` is good for: nothing of it is sent. */
export interface StateBinding {
  readonly principal: string;
  readonly method: string;
  readonly name: string;
  /** Of the arguments. */
  readonly digest: string;
}

/** What a client is told of a state that cannot be used: never why. */
export function invalidState(): RpcError {
  return invalidParams('Invalid or expired requestState: make the call again from the start, without it', {
    reason: 'invalid_request_state',
  });
}

/** JSON that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field])}`).join()}}`;
}
