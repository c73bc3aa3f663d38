import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A server on a port of its own, which can be told what it does when its address is known. */
export async function listening(serve: (self: string) => RequestListener) {
  let listener: RequestListener = () => {};
  const http = createServer((req, res) => listener(req, res));
  await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  listener = serve(url);
  return {
    url,
    async close() {
      http.closeAllConnections();
      await new Promise((closed) => http.close(closed));
    },
  };
}

/** What was sent to a token endpoint. */
export interface Wish {
  readonly form: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

/**
 * An authorization server that answers all wishes alike, and keeps them.
 *
 * @param says whose it says that it is, where that is not itself, and how clients say who they are, where it says that
 */
export function vouching(
  answer: (wish: Wish) => object,
  wishes: Wish[],
  says: { readonly issuer?: string; readonly methods?: readonly string[]; readonly more?: object } = {},
) {
  return (self: string): RequestListener =>
    async (req, res) => {
      if (req.url !== '/token') {
        json(res, {
          issuer: says.issuer ?? self,
          token_endpoint_auth_methods_supported: says.methods,
          authorization_endpoint: `${self}/authorize`,
          token_endpoint: `${self}/token`,
          response_types_supported: ['code'],
          ...says.more,
        });
        return;
      }
      const wish = {
        form: Object.fromEntries(new URLSearchParams(await text(req))),
        authorization: req.headers.authorization,
      };
      wishes.push(wish);
      const said = answer(wish);
      json(res, said, 'error' in said ? 400 : 200);
    };
}

/** Lets in who has a token, and says where one is given. */
export function guarded(serve: RequestListener, token: string, issuer: () => string) {
  return (self: string): RequestListener =>
    (req: IncomingMessage, res: ServerResponse) => {
      const metadata = '/.well-known/oauth-protected-resource/mcp';
      if (req.url === metadata) json(res, { resource: `${self}/mcp`, authorization_servers: [issuer()] });
      else if (req.headers.authorization === `Bearer ${token}`) serve(req, res);
      else res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${self}${metadata}"` }).end();
    };
}

function json(res: ServerResponse, body: object, status = 200): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
