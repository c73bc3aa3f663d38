import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A package registry of this machine: what `npm publish` puts is what `npm view` and `npm install` get. */
export interface TestRegistry extends AsyncDisposable {
  readonly url: string;
  readonly packages: Map<string, Published>;
  /** What it says in place of taking a package. */
  failing?: number | undefined;
}

/** A package as npm sends it. */
export interface Published {
  readonly name: string;
  readonly versions: Record<string, object>;
  readonly 'dist-tags': Record<string, string>;
  readonly _attachments?: Record<string, { readonly data: string }>;
}

/** Starts a registry. */
export async function startRegistry(): Promise<TestRegistry> {
  const packages = new Map<string, Published>();
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent((request.url ?? '/').slice(1));
    const say = (status: number, what: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(what));
    if (request.method === 'PUT') {
      const body: Buffer[] = [];
      for await (const part of request) body.push(part as Buffer);
      if (registry.failing) return say(registry.failing, { error: 'this registry is down' });
      const sent = JSON.parse(Buffer.concat(body).toString()) as Published;
      const before = packages.get(name);
      const twice = Object.keys(sent.versions).find((version) => before?.versions[version]);
      if (twice) return say(403, { error: `${twice} was published before` });
      packages.set(name, {
        ...sent,
        versions: { ...before?.versions, ...sent.versions },
        'dist-tags': { ...before?.['dist-tags'], ...sent['dist-tags'] },
      });
      return say(201, { ok: true });
    }
    const found = packages.get(name);
    return found ? say(200, found) : say(404, { error: 'not found' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packages,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return registry;
}
