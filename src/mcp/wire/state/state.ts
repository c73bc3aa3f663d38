import { hash, randomBytes } from 'node:crypto';
import { isObject } from '../../../core/schema/is-object.ts';
import { invalidParams, type RpcError } from '../rpc/rpc-error.ts';

/** What a `requestState` is good for: nothing of it is sent. */
export interface StateBinding {
  readonly principal: string;
  readonly method: string;
  readonly name: string;
  /** {@link digestOf} the arguments. */
  readonly digest: string;
}

const SHAPE = /^s1\.([\w-]+)\.([\w-]{22})$/;

/** A state: which call, and a name for its next round that only its client has. Everything else is with the call. */
export function newRound(callId: string): string {
  return `s1.${Buffer.from(callId).toString('base64url')}.${randomBytes(16).toString('base64url')}`;
}

/** The call of a state; `undefined` for what is none of these. */
export function callOf(state: unknown): string | undefined {
  const [, id] = (typeof state === 'string' && state.length < 1024 ? SHAPE.exec(state) : undefined) ?? [];
  return id === undefined ? undefined : Buffer.from(id, 'base64url').toString('utf8');
}

/** What a client is told of a state that cannot be used: never why. */
export function invalidState(): RpcError {
  return invalidParams('Invalid or expired requestState: make the call again from the start, without it', {
    reason: 'invalid_request_state',
  });
}

/** A digest of JSON that does not depend on the order of keys. */
export function digestOf(value: unknown): string {
  return hash('sha256', canonical(value), 'base64url');
}

/** JSON that does not depend on the order of keys. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const fields = Object.keys(value).sort();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonical(value[field])}`).join()}}`;
}
