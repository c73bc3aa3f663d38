import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { AuthProvider, FetchLike, OAuthClientProvider } from '@modelcontextprotocol/client';
import { defined } from '../../../core/schema/defined.ts';
import { type Credentials, isJwt, type Proof } from '../config/credentials.ts';
import { readSigningKey, type SigningKey } from '../config/signing-key.ts';
import { clientAuthentication } from './client-authentication.ts';
import { isForAnother, isSendable } from './own-client.ts';
import { LoginRefused, refusedPlainly } from './refused-plainly.ts';

/** A login without a person, at a server that is reached at an address. */
export interface CredentialsLogin extends AuthProvider {
  /** A `fetch` that asks the server itself: which token a request had is known from then on. */
  watched(fetch: typeof globalThis.fetch): typeof globalThis.fetch;
}

type Sdk = typeof import('@modelcontextprotocol/client');
type Refused = Parameters<NonNullable<AuthProvider['onUnauthorized']>>[0];
type Challenge = ReturnType<Sdk['extractWWWAuthenticateParams']>;

/**
 * Logs in with credentials whenever the server refuses a request: first, and once a token is over. Calls that are refused at one moment get
 * one token. It is kept nowhere, and the credentials are read anew each time: a key or a token in a file may be another one by then.
 *
 * @param signal aborts when the connection is not wanted any more: nothing waits for an authorization server then
 */
export function createCredentialsLogin(
  sdk: Sdk,
  { url, credentials }: { readonly url: string; readonly credentials: Credentials },
  signal: AbortSignal,
): CredentialsLogin {
  const sent = new WeakMap<Response, string | null>();
  let token: string | undefined;
  let asking: Promise<string> | undefined;
  /** What the server said of its login, so far: not each refusal says all of it. */
  let challenge: Challenge = {};

  const ask = async ({ response, fetchFn }: Refused): Promise<string> => {
    challenge = { ...challenge, ...defined(sdk.extractWWWAuthenticateParams(response)) };
    const { resourceMetadataUrl, scope } = challenge;
    const plainly = refusedPlainly(fetchFn, signal);
    const provider = await providerOf(sdk, credentials, plainly);
    try {
      await sdk.auth(provider, {
        serverUrl: url,
        skipIssuerMetadataValidation: true,
        fetchFn: plainly,
        ...defined({ resourceMetadataUrl, scope: credentials.scope ?? scope }),
      });
    } catch (error) {
      if (error instanceof sdk.AuthorizationServerMismatchError)
        throw isForAnother(error.currentIssuer, credentials.issuer, 'credentials');
      throw error;
    }
    const { access_token = '' } = (await provider.tokens()) ?? {};
    if (!isSendable(access_token))
      throw new LoginRefused('its authorization server gave a token that cannot be sent');
    return access_token;
  };

  return {
    token: async () => token,
    async onUnauthorized(refused) {
      // Another call has got a newer one since this one was sent.
      if (token !== undefined && sent.get(refused.response) !== `Bearer ${token}`) return;
      asking ??= ask(refused).finally(() => {
        asking = undefined;
      });
      token = await asking;
    },
    watched: (fetch) => async (input, init) => {
      const response = await fetch(input, init);
      if (response.status === 401) sent.set(response, new Headers(init?.headers).get('authorization'));
      return response;
    },
  };
}

async function providerOf(
  sdk: Sdk,
  credentials: Credentials,
  fetchFn: FetchLike,
): Promise<OAuthClientProvider> {
  const { issuer, clientId, scope, proof } = credentials;
  const client = { clientId, expectedIssuer: issuer, clientName: 'Parley', ...defined({ scope }) };
  switch (proof.kind) {
    case 'secret':
      return authenticated(
        new sdk.ClientCredentialsProvider({ ...client, clientSecret: proof.clientSecret }),
      );
    case 'key':
      return new sdk.PrivateKeyJwtProvider({ ...client, ...(await keyOf(proof)) });
    case 'assertion': {
      const { clientSecret, assertion } = proof;
      const bearer = new sdk.CrossAppAccessProvider({
        ...client,
        clientSecret: clientSecret ?? '',
        assertion: () => tokenOf(assertion, 'assertion'),
      });
      // The SDK knows clients with a secret alone.
      if (clientSecret === undefined) bearer.clientInformation = () => ({ client_id: clientId, issuer });
      return authenticated(bearer);
    }
    case 'idToken':
      return authenticated(
        new sdk.CrossAppAccessProvider({
          ...client,
          clientSecret: proof.clientSecret,
          fetchFn: fetchFn as typeof fetch,
          assertion: async ({ authorizationServerUrl, resourceUrl, scope }) => {
            const { jwtAuthGrant } = await sdk.requestJwtAuthorizationGrant({
              tokenEndpoint: proof.idp.tokenEndpoint,
              audience: authorizationServerUrl,
              resource: resourceUrl,
              idToken: await tokenOf(proof.idToken, 'idToken'),
              fetchFn: fetchFn as typeof fetch,
              ...defined({ clientId: proof.idp.clientId, clientSecret: proof.idp.clientSecret, scope }),
            });
            return jwtAuthGrant;
          },
        }),
      );
  }
}

function authenticated(provider: OAuthClientProvider): OAuthClientProvider {
  provider.addClientAuthentication = clientAuthentication(() => provider.clientInformation());
  return provider;
}

async function keyOf({ privateKey, algorithm }: Extract<Proof, { kind: 'key' }>): Promise<SigningKey> {
  const pem = await textOf(privateKey, 'privateKey');
  try {
    return readSigningKey(pem, algorithm);
  } catch (error) {
    throw new LoginRefused(`oauth.privateKey: ${(error as Error).message}`);
  }
}

/** Only a token is sent: whatever else a file may hold stays here. */
async function tokenOf(text: string, field: string): Promise<string> {
  const token = (await textOf(text, field)).trim();
  if (!isJwt(token)) throw new LoginRefused(`oauth.${field}: '${text}' holds no token (JWT)`);
  return token;
}

/** What a field says itself, or the file that it names. */
async function textOf(text: string, field: string): Promise<string> {
  if (!isAbsolute(text)) return text;
  try {
    return await readFile(text, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new LoginRefused(`oauth.${field}: '${text}' cannot be read (${code})`);
  }
}
