import { createHmac, createSecretKey, hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isObject } from '../../../core/schema/is-object.ts';
import { invalidParams, type RpcError } from '../rpc/rpc-error.ts';

/** What a `requestState` is good for: nothing of it is sent, all of it is signed. */
export interface StateBinding {
  readonly principal: string;
  readonly method: string;
  readonly name: string;
  /** {@link digestOf} the arguments. */
  readonly digest: string;
}

/** What a `requestState` says: which parked call, and which of its rounds. */
export interface StateHandle {
  readonly id: string;
  readonly round: number;
}

/** Signs and reads `requestState`. */
export interface StateCodec {
  /** @param expires milliseconds since the epoch */
  sign(handle: StateHandle, binding: StateBinding, expires: number): string;
  /** @throws `-32602`, saying nothing about which check failed. @param now milliseconds since the epoch */
  open(state: unknown, binding: StateBinding, now: number): StateHandle;
}

const SHAPE = /^p1\.([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]+)$/;

/**
 * HMAC-SHA256 over the handle, its expiry and what it is bound to. The handle is not secret, the key is: without `key`
 * it is drawn anew, so that state from before a restart is refused.
 */
export function createStateCodec(key: Uint8Array = randomBytes(32)): StateCodec {
  // Prepared once: preparing it costs as much as signing.
  const secret = createSecretKey(key);
  const mac = (body: string, binding: StateBinding) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([body, binding.principal, binding.method, binding.name, binding.digest]))
      .digest('base64url');

  return {
    sign({ id, round }, binding, expires) {
      const body = Buffer.from(JSON.stringify({ id, round, exp: expires })).toString('base64url');
      return `p1.${body}.${mac(body, binding)}`;
    },

    open(state, binding, now) {
      const [, body, tag] = (typeof state === 'string' ? SHAPE.exec(state) : undefined) ?? [];
      if (body === undefined || tag === undefined) throw invalidState();
      // As text, so that only the one spelling of the signature counts.
      const given = Buffer.from(tag);
      const expected = Buffer.from(mac(body, binding));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw invalidState();
      const handle: unknown = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'));
      if (!isObject(handle) || typeof handle.exp !== 'number' || handle.exp <= now) throw invalidState();
      return { id: String(handle.id), round: Number(handle.round) };
    },
  };
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
