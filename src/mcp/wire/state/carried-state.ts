import { type KeyObject, randomBytes } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { JsonValue } from '../../../core/messages/json.ts';
import type { KeyRing } from '../../../node/key-ring.ts';
import { seal, unseal } from '../../../node/seal.ts';
import { keepLast } from '../../../runtime/data/keep-last.ts';
import { invalidState, type StateBinding } from './state.ts';

/** Seals and opens a whole call in a `requestState`. */
export interface CarriedCodec {
  /**
   * @param expires milliseconds since the epoch
   * @returns `undefined` for one that is longer than a state may be: such a call stays where it is
   */
  seal(call: JsonValue, binding: StateBinding, expires: number): string | undefined;
  /** Whether it looks like one of these. */
  knows(state: unknown): boolean;
  /** @throws `-32602`, saying nothing about which check failed. @param now milliseconds since the epoch */
  open(state: unknown, binding: StateBinding, now: number): JsonValue;
}

/** Longest state, characters: it travels twice a round, and clients keep it. */
const MAX_STATE = 32 * 1024;
/** Most that a state may unfold to. Who has the key has sealed no more, and that is who could. */
const MAX_CALL = 16 * 2 ** 20;
const SALT = 16;
/** So many states are sealed with one key: nonces are drawn, and there are enough for thousands of times more. */
const MOST_SEALED = 2 ** 20;
/** Keys that have opened something: those of so many servers, and of what they sealed before. */
const MOST_KEYS = 64;
/** Up to so many bytes a call is sealed as it is. */
const SHORT = 1024;
/** How packed bytes begin, and JSON never does. */
const GZIP = 0x1f;
/** Lengths are multiples of this: they would tell which answer was short, and what packs well together. */
const PIECE = 256;
const SHAPE = /^c1\.([\w-]{8})\.([\w-]+)$/;

/**
 * AES-256-GCM over the packed call. Nothing of it can be read or changed by who carries it, and it opens only for the
 * principal, method, name and arguments that it was made for, until it expires, on any server that has the key.
 *
 * The key is made of one of the ring's and a salt that goes along; it serves a million states, so that there may be any number of them.
 */
export function createCarriedCodec(ring: KeyRing): CarriedCodec {
  const keyOf = (id: string, salt: Uint8Array) => ring.derive(id, salt, 'parley carried state');
  const opening = new Map<string, KeyObject>();
  let sealing: { readonly salt: Buffer; readonly key: KeyObject; left: number } | undefined;
  const sealingKey = () => {
    if (sealing && sealing.left-- > 0) return sealing;
    const salt = randomBytes(SALT);
    const key = keyOf(ring.current, salt);
    sealing = key && { salt, key, left: MOST_SEALED };
    return sealing;
  };

  return {
    seal(call, binding, expires) {
      const packed = packedOf(Buffer.from(JSON.stringify({ exp: expires, call })));
      if (packed.length > MAX_STATE) return undefined;
      const by = sealingKey();
      if (!by) return undefined;
      const sealed = Buffer.concat([by.salt, seal(by.key, padded(packed), boundTo(binding))]);
      const state = `c1.${ring.current}.${sealed.toString('base64url')}`;
      return state.length > MAX_STATE ? undefined : state;
    },

    knows: (state) => typeof state === 'string' && state.startsWith('c1.'),

    open(state, binding, now) {
      const fits = typeof state === 'string' && state.length <= MAX_STATE;
      const [, id, body] = (fits ? SHAPE.exec(state) : undefined) ?? [];
      if (id === undefined || body === undefined) throw invalidState();
      const sealed = Buffer.from(body, 'base64url');
      // One spelling of a state, as of a signature.
      if (sealed.toString('base64url') !== body) throw invalidState();
      const salt = sealed.subarray(0, SALT);
      const name = `${id}.${salt.toString('base64url')}`;
      const key = opening.get(name) ?? keyOf(id, salt);
      const plain = key && unseal(key, sealed.subarray(SALT), boundTo(binding));
      if (!plain) throw invalidState();
      // Only now: what somebody made up has no place among them.
      keepLast(opening, [name, key], MOST_KEYS);
      const { exp, call } = unpacked(plain);
      if (typeof exp !== 'number' || exp <= now || call === undefined) throw invalidState();
      return call;
    },
  };
}

function boundTo({ principal, method, name, digest }: StateBinding): string {
  return JSON.stringify([principal, method, name, digest]);
}

/** A short call is not packed: that would cost more than all else of its sealing. */
function packedOf(plain: Buffer): Buffer {
  return plain.length <= SHORT ? plain : gzipSync(plain);
}

function padded(packed: Buffer): Buffer {
  const all = Buffer.alloc(Math.ceil((4 + packed.length) / PIECE) * PIECE);
  all.writeUInt32BE(packed.length);
  packed.copy(all, 4);
  return all;
}

function unpacked(plain: Buffer): { readonly exp?: unknown; readonly call?: JsonValue } {
  try {
    const packed = plain.subarray(4, 4 + plain.readUInt32BE());
    const text = packed[0] === GZIP ? gunzipSync(packed, { maxOutputLength: MAX_CALL }) : packed;
    return Object(JSON.parse(text.toString('utf8')));
  } catch {
    // It was sealed with the key all the same: by another version.
    throw invalidState();
  }
}
