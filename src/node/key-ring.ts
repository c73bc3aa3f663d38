import { createHash, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';

/** Length of a key, bytes: AES-256. */
export const KEY_BYTES = 32;

/** Keys by which something is sealed: the first seals, all of them open. So a new key is put in front of the old one. */
export interface KeyRing {
  /** The id of the key that seals now. Ids say nothing about keys. */
  readonly current: string;
  /** A key for one use, made of the key of that id; `undefined` where there is none. */
  derive(id: string, salt: Uint8Array, use: string): KeyObject | undefined;
}

/** Makes a ring. @throws `TypeError` for no key, and for one that has not 32 bytes */
export function createKeyRing(keys: readonly Uint8Array[]): KeyRing {
  const [first] = keys;
  if (!first) throw new TypeError('give at least one key of 32 bytes');
  // As key objects: Node would make one of the bytes for each use.
  const byId = new Map<string, KeyObject>();
  for (const key of keys) {
    if (key.length !== KEY_BYTES) {
      throw new TypeError(
        `a key has ${KEY_BYTES} bytes, not ${key.length}: randomBytes(32) of node:crypto makes one`,
      );
    }
    byId.set(idOf(key), createSecretKey(Uint8Array.from(key)));
  }
  return {
    current: idOf(first),
    derive(id, salt, use) {
      const key = byId.get(id);
      return key && createSecretKey(new Uint8Array(hkdfSync('sha256', key, salt, use, KEY_BYTES)));
    },
  };
}

function idOf(key: Uint8Array): string {
  return createHash('sha256').update('parley key id').update(key).digest('base64url').slice(0, 8);
}
