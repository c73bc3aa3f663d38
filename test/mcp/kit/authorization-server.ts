import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  type JWTHeaderParameters,
  type JWTPayload,
  SignJWT,
} from 'jose';
import Provider from 'oidc-provider';

/** A real authorization server. */
export interface AuthorizationServer {
  readonly issuer: string;
  /** An access token as a client gets it: for a resource, with scopes. */
  token(client: 'ann' | 'bob', resource: string, scope: string): Promise<string>;
  /** A token that it never gave, signed with its own key unless another is brought. */
  forged(
    payload: JWTPayload,
    header?: Partial<JWTHeaderParameters>,
    key?: CryptoKey | Uint8Array,
  ): Promise<string>;
  /** The key of the client `a signer`, in PEM. */
  readonly signer: string;
  /** How many times its keys were asked for. */
  asked(): number;
  /** How many times somebody wanted a token. */
  logins(): number;
  /** Nobody answers at this path from now on. */
  fail(path: string): void;
  close(): Promise<void>;
}

/** What only a client that somebody registered by hand, and its authorization server, know. */
export function secretOf(client: string): string {
  return `a+b/c=d: 100% of ${client}`;
}

/** Where a login sends the person back to a window in a browser. */
const FORWARDED = /^http:\/\/127\.0\.0\.1:\d+\/proxy\/\d+\/login$/;

/** Starts one on a port of its own, with clients that log in for themselves, and one that people log in with. */
export async function startAuthorizationServer(): Promise<AuthorizationServer> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: 'one', alg: 'ES256', use: 'sig' };
  let listener: RequestListener = (_req, res) => res.writeHead(503).end();
  let asked = 0;
  let logins = 0;
  let failing = '';
  const signer = await generateKeyPair('ES256', { extractable: true });
  const http = createServer((req, res) => {
    if (req.url?.startsWith('/jwks')) asked += 1;
    if (req.url === '/token') logins += 1;
    if (req.url === failing) {
      req.destroy();
      return;
    }
    listener(req, res);
  });
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const client = (client_id: string, token_endpoint_auth_method = 'client_secret_post') => ({
    client_id,
    ...(token_endpoint_auth_method === 'private_key_jwt' ? {} : { client_secret: `secret of ${client_id}` }),
    grant_types: ['client_credentials'],
    redirect_uris: [],
    response_types: [],
    token_endpoint_auth_method,
    id_token_signed_response_alg: 'ES256',
  });
  const provider = new Provider(issuer, {
    jwks: { keys: [jwk] },
    clients: [
      client('ann'),
      client('bob'),
      client('a service', 'client_secret_basic'),
      {
        ...client('a signer', 'private_key_jwt'),
        jwks: { keys: [{ ...(await exportJWK(signer.publicKey)), alg: 'ES256', use: 'sig' }] },
      },
      {
        client_id: 'an editor',
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/login'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
      {
        client_id: 'an app: 50% of it',
        client_secret: secretOf('an app: 50% of it'),
        application_type: 'native',
        grant_types: ['authorization_code', 'refresh_token'],
        redirect_uris: ['http://127.0.0.1/login', 'https://tools.example.com/login'],
        response_types: ['code'],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    scopes: ['tools', 'deploy', 'offline_access'],
    features: {
      // Its pages let in whoever says a name.
      devInteractions: { enabled: true },
      registration: { enabled: true },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        getResourceServerInfo: (_: unknown, audience: string) => ({
          scope: 'tools deploy',
          audience,
          accessTokenTTL: 600,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  // A window in a browser is at a port that nobody knows when a client is registered: who registers one for it lists a pattern.
  // Its types have no name for the class of its clients.
  const clients: { redirectUriAllowed(uri: string): boolean } = Reflect.get(provider, 'Client').prototype;
  const { redirectUriAllowed } = clients;
  clients.redirectUriAllowed = function (uri) {
    return redirectUriAllowed.call(this, uri) || FORWARDED.test(uri);
  };
  listener = provider.callback();
  return {
    issuer,
    async token(client_id, resource, scope) {
      const response = await fetch(`${issuer}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id,
          client_secret: `secret of ${client_id}`,
          resource,
          scope,
        }),
      });
      const { access_token } = (await response.json()) as { access_token?: string };
      if (!access_token) throw new Error(`no token: ${response.status}`);
      return access_token;
    },
    forged: (payload, header = {}, key = privateKey) =>
      new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', kid: 'one', typ: 'at+jwt', ...header })
        .sign(key),
    signer: await exportPKCS8(signer.privateKey),
    asked: () => asked,
    logins: () => logins,
    fail(path) {
      failing = path;
    },
    async close() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}

/** Goes through the pages of a login as a person does; gives what the last one sends back. */
export async function logInAs(name: string, page: URL): Promise<URLSearchParams> {
  const cookies = new Map<string, string>();
  let next: { url: URL; body?: URLSearchParams } = { url: page };
  for (let step = 0; step < 20; step++) {
    const response = await fetch(next.url, {
      redirect: 'manual',
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
      ...(next.body ? { method: 'POST', body: next.body } : {}),
    });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const at = pair.indexOf('=');
      cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    const location = response.headers.get('location');
    if (location === null) {
      const html = await response.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(html)?.[1];
      if (!prompt) throw new Error(`no page of a login: ${response.status} ${html.slice(0, 500)}`);
      const action = /action="([^"]+)"/.exec(html)?.[1] ?? '';
      next = {
        url: new URL(action, next.url),
        body: new URLSearchParams({ prompt, login: name, password: name }),
      };
      continue;
    }
    const to = new URL(location, next.url);
    if (to.origin !== page.origin) return to.searchParams;
    next = { url: to };
  }
  throw new Error('the login does not end');
}
