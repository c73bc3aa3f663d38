import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { tempFolder } from '#test/temp-folder.ts';

/** A package registry of this machine: what `npm publish` puts is what `npm view` and `npm install` get. */
export interface TestRegistry extends AsyncDisposable {
  readonly url: string;
  readonly packages: Map<string, Published>;
  /** What it says to everything. */
  failing?: number | undefined;
  /** Puts a version there without npm: its `package.json`, and its other files. */
  put(
    manifest: Readonly<Record<string, unknown>> & { readonly name: string; readonly version: string },
    files: Readonly<Record<string, string>>,
  ): void;
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
    const [name = '', archive] = decodeURIComponent((request.url ?? '/').slice(1)).split('/-/');
    const say = (status: number, what: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(what));
    if (registry.failing) return say(registry.failing, { error: 'this registry is down' });
    if (request.method === 'PUT') {
      const body: Buffer[] = [];
      for await (const part of request) body.push(part as Buffer);
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
    const data = archive === undefined ? undefined : found?._attachments?.[archive]?.data;
    if (data !== undefined) return response.writeHead(200).end(Buffer.from(data, 'base64'));
    return found ? say(200, found) : say(404, { error: 'not found' });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const registry: TestRegistry = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    packages,
    put(manifest, files) {
      const { name, version } = manifest;
      const before = packages.get(name);
      const archive = `${name}-${version}.tgz`;
      const dist = { tarball: `${registry.url}${name}/-/${archive}` };
      packages.set(name, {
        name,
        versions: { ...before?.versions, [version]: { ...manifest, dist } },
        'dist-tags': { latest: version },
        _attachments: { ...before?._attachments, [archive]: { data: packed(manifest, files) } },
      });
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return registry;
}

function packed(manifest: object, files: Readonly<Record<string, string>>): string {
  const folder = tempFolder();
  mkdirSync(join(folder, 'package'));
  for (const [path, text] of Object.entries({ ...files, 'package.json': JSON.stringify(manifest) }))
    writeFileSync(join(folder, 'package', path), text);
  execFileSync('tar', ['-czf', 'made.tgz', 'package'], { cwd: folder });
  return readFileSync(join(folder, 'made.tgz'), 'base64');
}
