import type { createRemoteJWKSet, FetchImplementation } from 'jose';
import * as z from 'zod';
import { boundedFetch } from '../http/bounded-fetch.ts';
import { isSameIssuer } from './oauth-options.ts';

/** By what the signatures of an issuer are checked. */
export type IssuerKeys = ReturnType<typeof createRemoteJWKSet>;

const metadata = z.looseObject({ issuer: z.string(), jwks_uri: z.string() });
const keySet = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })) });

/** How long an authorization server may take to answer, milliseconds, and how long after a failure it is not asked again. */
const PATIENCE = 5_000;
const PAUSE = 2_000;
/** How long keys are good for that cannot be fetched again, milliseconds. */
const KEPT = 86_400_000;
/** What it may answer at most, bytes. */
const MOST = 2 ** 20;

/**
 * Finds the keys of an issuer by its metadata (RFC 8414, OpenID Connect). They are fetched when a token first needs them, and again when one
 * names a key that is not among them, but not more often than every half minute: anybody can send tokens. Where they could not be fetched,
 * the metadata is asked again where they are; those that are known are good for a day meanwhile.
 */
export function createIssuerKeys(issuer: string): () => Promise<IssuerKeys> {
  let keys: Promise<IssuerKeys> | undefined;
  let at: URL | undefined;
  let failed = Number.NEGATIVE_INFINITY;
  let known: { readonly keys: z.infer<typeof keySet>; readonly until: number } | undefined;
  let set: IssuerKeys | undefined;
  const fetched = async (signal: AbortSignal) => {
    if (performance.now() - failed < PAUSE)
      throw new Error(`${issuer} could not be asked for its keys just now`);
    try {
      at ??= await discover(issuer, signal);
      const found = keySet.parse(await read(at, signal));
      known = { keys: found, until: Date.now() + KEPT };
      return found;
    } catch (error) {
      failed = performance.now();
      at = undefined;
      throw error;
    }
  };
  const fetchKeys: FetchImplementation = async (_, { signal }) => {
    try {
      return Response.json(await fetched(signal));
    } catch (error) {
      // Where those that are known are fresh, it is for a token that names another one.
      if (!known || set?.fresh || known.until <= Date.now()) throw error;
      return Response.json(known.keys);
    }
  };
  return () => {
    keys ??= import('jose').then(({ createRemoteJWKSet, customFetch }) => {
      const options = { timeoutDuration: 2 * PATIENCE, [customFetch]: fetchKeys };
      set = createRemoteJWKSet(new URL(issuer), options);
      return set;
    });
    return keys;
  };
}

async function discover(issuer: string, signal: AbortSignal): Promise<URL> {
  const problems: string[] = [];
  for (const url of metadataUrls(issuer)) {
    try {
      const { issuer: named, jwks_uri } = metadata.parse(await read(url, signal));
      if (!isSameIssuer(named, issuer)) throw new Error(`it says that it is ${named}`);
      const keys = new URL(jwks_uri);
      if (keys.protocol !== new URL(issuer).protocol) throw new Error(`its keys are at ${jwks_uri}`);
      return keys;
    } catch (error) {
      problems.push(`${url}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`the keys of ${issuer} cannot be found; ${problems.join('; ')}`);
}

async function read(url: string | URL, signal: AbortSignal): Promise<unknown> {
  const response = await boundedFetch(MOST)(url, {
    redirect: 'error',
    headers: { accept: 'application/json' },
    signal: AbortSignal.any([signal, AbortSignal.timeout(PATIENCE)]),
  });
  if (response.status === 200) return await response.json();
  await response.body?.cancel();
  throw new Error(`it answers ${response.status}`);
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
