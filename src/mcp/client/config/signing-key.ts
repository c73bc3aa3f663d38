import { createPrivateKey, type KeyObject } from 'node:crypto';

/** How a client with a key can sign. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
] as const;

/** How a client with a key signs. */
export type Algorithm = (typeof ALGORITHMS)[number];

const CURVES: Readonly<Record<string, Algorithm>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
};

/** A key that a client signs with, as PKCS #8 in PEM. */
export interface SigningKey {
  readonly privateKey: string;
  readonly algorithm: Algorithm;
}

/**
 * Reads a private key, whichever way its PEM has it.
 *
 * @param algorithm the first that the key can without it
 * @throws `Error` with a sentence, which says nothing of the key
 */
export function readSigningKey(pem: string, algorithm?: Algorithm): SigningKey {
  let key: KeyObject;
  try {
    // Where a variable of the environment has one line, the lines of a key are often written so.
    key = createPrivateKey(pem.replaceAll('\\n', '\n'));
  } catch {
    throw new Error('it is not a private key (PEM, without a passphrase)');
  }
  const able = algorithmsOf(key);
  const chosen = algorithm ?? able[0];
  if (chosen === undefined) throw new Error(`a key of its type signs none of ${ALGORITHMS.join(', ')}`);
  if (!able.includes(chosen)) throw new Error(`it does not sign ${chosen}: it is for ${able.join(', ')}`);
  return { privateKey: key.export({ type: 'pkcs8', format: 'pem' }).toString(), algorithm: chosen };
}

function algorithmsOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): readonly Algorithm[] {
  if (asymmetricKeyType === 'rsa') return ALGORITHMS.filter((name) => !name.startsWith('ES'));
  const ofCurve = CURVES[asymmetricKeyDetails?.namedCurve ?? ''];
  return ofCurve === undefined ? [] : [ofCurve];
}
