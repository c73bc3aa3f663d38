import type { JWTPayload } from 'jose';
import { createIssuerKeys } from './issuer-keys.ts';
import type { CheckedOAuth } from './oauth-options.ts';

/** Whose a token is, and what it is for. */
export interface Subject {
  /** The same on every server, for every token of theirs. */
  readonly name: string;
  readonly scopes: ReadonlySet<string>;
}

/** What came of a token. */
export type CheckedToken =
  | { readonly type: 'good'; readonly subject: Subject }
  /** It is none, is over, or is not for us. Why is for nobody who sends it. */
  | { readonly type: 'bad'; readonly why?: unknown }
  /** Nobody can tell now: the authorization server cannot be reached. */
  | { readonly type: 'unknown'; readonly cause: unknown };

/** Signatures with a key that only the authorization server has. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];

/** Clocks differ so much, seconds. */
const TOLERANCE = 10;
const LONGEST_NAME = 255;

/** Errors of `jose` that say something of the authorization server, and nothing of the token. */
const UNREACHED = new Set(['ERR_JWKS_TIMEOUT', 'ERR_JOSE_GENERIC', 'ERR_JWKS_INVALID']);

/** Makes what checks access tokens: signed by the issuer, made out for this server, and not over (RFC 9068). */
export function createTokenCheck({
  issuer,
  resource,
  tokenType,
}: CheckedOAuth): (token: string) => Promise<CheckedToken> {
  const keysOf = createIssuerKeys(issuer);
  return async (token) => {
    // What does not look like one is not worth a question to anybody.
    if (token.split('.').length !== 3) return { type: 'bad' };
    const { jwtVerify, errors } = await import('jose');
    try {
      const { payload, protectedHeader } = await jwtVerify(token, await keysOf(), {
        // With a slash at the end or without.
        issuer: [issuer, issuer.endsWith('/') ? issuer.slice(0, -1) : `${issuer}/`],
        audience: resource,
        algorithms: ALGORITHMS,
        requiredClaims: ['sub', 'exp'],
        clockTolerance: TOLERANCE,
      });
      const { typ } = protectedHeader;
      if (typeOf(typ) !== typeOf(tokenType)) {
        const why = new Error(`the issuer signed a token of the type '${typ ?? 'JWT'}', not '${tokenType}'`);
        return { type: 'bad', why };
      }
      const subject = subjectOf(issuer, payload);
      return subject ? { type: 'good', subject } : { type: 'bad' };
    } catch (cause) {
      const isOfToken = cause instanceof errors.JOSEError && !UNREACHED.has(cause.code);
      return isOfToken ? { type: 'bad' } : { type: 'unknown', cause };
    }
  };
}

/** RFC 7515, 4.1.9; without one it is a token of any kind. */
function typeOf(typ = 'JWT'): string {
  return typ.toLowerCase().replace(/^application\//, '');
}

function subjectOf(issuer: string, { sub, cnf, scope, scp }: JWTPayload): Subject | undefined {
  // One that is bound to a key of its client is worth nothing without a proof of that key.
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_NAME || (cnf ?? undefined) !== undefined)
    return undefined;
  // Digests of names cannot tell halves of characters apart.
  if (!sub.isWellFormed()) return undefined;
  const given = scope ?? scp;
  const scopes: readonly unknown[] =
    typeof given === 'string' ? given.split(' ') : Array.isArray(given) ? given : [];
  const texts = scopes.filter((one): one is string => typeof one === 'string' && one !== '');
  return { name: `oauth ${issuer} ${sub}`, scopes: new Set(texts) };
}
