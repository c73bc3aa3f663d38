import type { JsonValue } from '../../../core/messages/json.ts';
import { invalidState } from './bound.ts';

/** Seals and opens a whole call in a `requestState`. By the web's own cryptography: it runs wherever a handler may. */
export interface CarriedCodec {
  /**
   * @param bound what it is good for; nothing of that is sent
   * @param expires milliseconds since the epoch
   * @returns `undefined` for one that is longer than a state may be: such a call stays where it is
   */
  seal(call: JsonValue, bound: string, expires: number): Promise<string | undefined>;
  /** Whether it looks like one of these. */
  knows(state: unknown): boolean;
  /** @throws `-32602`, saying nothing about which check failed. @param now milliseconds since the epoch */
  open(state: unknown, bound: string, now: number): Promise<JsonValue>;
}

/** Longest state, characters: it travels twice a round, and clients keep it. */
const MAX_STATE = 32 * 1024;
/** Most that a state may unfold to. Who has the key has sealed no more, and that is who could. */
const MAX_CALL = 16 * 2 ** 20;
const KEY_BYTES = 32;
const SALT = 16;
const NONCE = 12;
/** Lengths are multiples of this: they would tell which answer was short, and what packs well together. */
const PIECE = 256;
const PREFIX = 'c2.';

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * AES-256-GCM over the packed call. Nothing of it can be read or changed by who carries it, and it opens only for what it was made
 * for, until it expires, on any server that has the key. Each state has a key of its own, made of one of these by a salt.
 *
 * @param keys 32 bytes each: the first seals, all of them open
 * @throws `TypeError` for no key, and for one of another length
 */
export function createCarriedCodec(keys: readonly Uint8Array[]): CarriedCodec {
  const bases = keys.map(imported);
  const [first] = bases;
  if (!first) throw new TypeError('give at least one key of 32 bytes');
  return {
    async seal(call, bound, expires) {
      const packed = await through(encoded({ exp: expires, call }), new CompressionStream('gzip'), MAX_STATE);
      if (!packed) return undefined;
      const salt = drawn(SALT);
      const nonce = drawn(NONCE);
      const key = await derived(await first, salt);
      const sealed = await crypto.subtle.encrypt(by(nonce, bound), key, padded(packed));
      const state = PREFIX + toText(joined(salt, nonce, new Uint8Array(sealed)));
      return state.length > MAX_STATE ? undefined : state;
    },

    knows: (state) => typeof state === 'string' && state.startsWith(PREFIX),

    async open(state, bound, now) {
      if (typeof state !== 'string' || state.length > MAX_STATE || !state.startsWith(PREFIX))
        throw invalidState();
      const body = state.slice(PREFIX.length);
      const all = fromText(body);
      // One spelling of a state, as of a signature.
      if (!all || toText(all) !== body) throw invalidState();
      const [salt, nonce] = [all.slice(0, SALT), all.slice(SALT, SALT + NONCE)];
      for (const base of bases) {
        const key = await derived(await base, salt);
        const plain = await crypto.subtle
          .decrypt(by(nonce, bound), key, all.slice(SALT + NONCE))
          .catch(() => undefined);
        if (!plain) continue;
        const { exp, call } = await unpacked(new Uint8Array(plain));
        if (typeof exp === 'number' && exp > now && call !== undefined) return call;
      }
      throw invalidState();
    },
  };
}

function imported(key: Uint8Array): Promise<CryptoKey> {
  if (key.length !== KEY_BYTES) throw new TypeError(`a key has ${KEY_BYTES} bytes, not ${key.length}`);
  return crypto.subtle.importKey('raw', Uint8Array.from(key), 'HKDF', false, ['deriveKey']);
}

async function derived(base: CryptoKey, salt: Bytes): Promise<CryptoKey> {
  const how = { name: 'HKDF', hash: 'SHA-256', salt, info: encoder.encode('parley carried state') };
  const what = { name: 'AES-GCM', length: 8 * KEY_BYTES };
  return await crypto.subtle.deriveKey(how, base, what, false, ['encrypt', 'decrypt']);
}

function by(iv: Bytes, bound: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: encoder.encode(bound) };
}

const encoder = new TextEncoder();

function encoded(value: unknown): Bytes {
  return encoder.encode(JSON.stringify(value));
}

function drawn(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length));
}

function padded(packed: Bytes): Bytes {
  const all = new Uint8Array(Math.ceil((4 + packed.length) / PIECE) * PIECE);
  new DataView(all.buffer).setUint32(0, packed.length);
  all.set(packed, 4);
  return all;
}

async function unpacked(plain: Bytes): Promise<{ readonly exp?: unknown; readonly call?: JsonValue }> {
  try {
    const packed = plain.slice(4, 4 + new DataView(plain.buffer).getUint32(0));
    const text = await through(packed, new DecompressionStream('gzip'), MAX_CALL);
    return Object(JSON.parse(new TextDecoder().decode(text)));
  } catch {
    // It was sealed with the key all the same: by another version.
    throw invalidState();
  }
}

/** What a stream makes of bytes; nothing where that is more than `most`. */
async function through(
  bytes: Bytes,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Bytes | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of new Blob([bytes]).stream().pipeThrough<Uint8Array>(stream)) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return joined(...parts);
}

function joined(...parts: readonly Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

function toText(bytes: Bytes): string {
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

function fromText(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    );
  } catch {
    return undefined;
  }
}
