import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { json } from 'node:stream/consumers';
import { npm } from './npm.ts';

/** What npm sends to publish. */
interface Published {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

/** A registry on this machine. */
export interface NpmRegistry {
  /** What a `.npmrc` says to use it, and to publish there. */
  readonly settings: string;
  close(): void;
}

/** It takes one package, gives it, and sends whoever wants another one to the registry that npm is set to. */
export async function npmRegistry(name: string): Promise<NpmRegistry> {
  const others = (await npm('Asking for the registry', ['config', 'get', 'registry'], tmpdir())).trim();
  let published: Published | undefined;
  const server = createServer(async (req, res) => {
    const path = decodeURIComponent(req.url ?? '');
    if (req.method === 'PUT' && path === `/${name}`) {
      published = (await json(req)) as Published;
      res.writeHead(201, { 'content-type': 'application/json' }).end('{}');
    } else if (!path.startsWith(`/${name}`)) {
      res.writeHead(307, { location: new URL(path.slice(1), others).href }).end();
    } else if (!published) {
      res.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    } else {
      const { _attachments, ...about } = published;
      const [attached] = Object.values(_attachments);
      if (path.includes('/-/')) res.end(Buffer.from(attached?.data ?? '', 'base64'));
      else res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(about));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    settings: `registry=http://${host}/\n//${host}/:_authToken=here\naudit=false\nfund=false\n`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
