import { createCipheriv, createDecipheriv, type KeyObject, randomBytes } from 'node:crypto';

const NONCE = 12;

/** Length of the tag at the end of what is sealed, bytes. */
export const TAG_BYTES = 16;

/**
 * Seals with AES-256-GCM: nobody without the key reads it, or changes it unnoticed. The nonce is drawn, so one key is
 * for a few million of them: derive one for each use (`KeyRing.derive`).
 *
 * @param bound what it belongs to; it opens only where the same is said again
 */
export function seal(key: KeyObject, plain: Uint8Array, bound: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(bound));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What was sealed; `undefined` for anything else. */
export function unseal(key: KeyObject, sealed: Uint8Array, bound: string): Buffer | undefined {
  if (sealed.length < NONCE + TAG_BYTES) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE), {
    authTagLength: TAG_BYTES,
  });
  decipher.setAAD(Buffer.from(bound));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = decipher.update(sealed.subarray(NONCE, -TAG_BYTES));
  try {
    return Buffer.concat([plain, decipher.final()]);
  } catch {
    return undefined;
  }
}
