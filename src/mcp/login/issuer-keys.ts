import type { createRemoteJWKSet } from 'jose';
import * as z from 'zod';

/** By what the signatures of an issuer are checked. */
export type IssuerKeys = ReturnType<typeof createRemoteJWKSet>;

const metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });

/** How long an authorization server may take to answer, milliseconds, and how long after a failure it is not asked again. */
const PATIENCE = 5_000;
const PAUSE = 2_000;

/**
 * Finds the keys of an issuer by its metadata (RFC 8414, OpenID Connect). They are fetched when a token first needs them, and again when one
 * names a key that is not among them, but not more often than every half minute: anybody can send tokens.
 */
export function createIssuerKeys(issuer: string): () => Promise<IssuerKeys> {
  let found: Promise<IssuerKeys> | undefined;
  let failed = Number.NEGATIVE_INFINITY;
  return async () => {
    if (found) return await found;
    if (performance.now() - failed < PAUSE)
      throw new Error(`${issuer} could not be asked for its keys just now`);
    found = discover(issuer);
    try {
      return await found;
    } catch (error) {
      failed = performance.now();
      found = undefined;
      throw error;
    }
  };
}

async function discover(issuer: string): Promise<IssuerKeys> {
  const { createRemoteJWKSet } = await import('jose');
  const problems: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await fetch(url, {
        redirect: 'error',
        headers: { accept: 'application/json' },
        signal: AbortSignal.timeout(PATIENCE),
      });
      if (!response.ok) throw new Error(`it answers ${response.status}`);
      const { issuer: named, jwks_uri } = metadata.parse(await response.json());
      if (named !== issuer) throw new Error(`it says that it is ${named}`);
      const keys = new URL(jwks_uri);
      if (keys.protocol !== new URL(issuer).protocol) throw new Error(`its keys are at ${jwks_uri}`);
      return createRemoteJWKSet(keys, { timeoutDuration: PATIENCE });
    } catch (error) {
      problems.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`the keys of ${issuer} cannot be found; ${problems.join('; ')}`);
}

function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ].filter((url, i, all) => all.indexOf(url) === i);
}
