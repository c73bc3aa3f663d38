/**
 * Publishes an npm package to a registry on this machine, and uses it as others will: in a project, and outside of any by `npx`.
 * Run: `node build/release/try-package.ts FILE`.
 */
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import manifest from '../../package.json' with { type: 'json' };
import { npm } from '../../test/harness/npm.ts';

/** What npm sends to publish. */
interface Published {
  readonly _attachments: Readonly<Record<string, { readonly data: string }>>;
}

const { name, version } = manifest;
const file = resolve(process.argv[2] ?? '');
const others = (await npm('Asking for the registry', ['config', 'get', 'registry'], tmpdir())).trim();

/** It takes the package, gives it, and sends whoever wants another one to the registry that npm is set to. */
let published: Published | undefined;
const registry = createServer(async (req, res) => {
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
await once(registry, 'listening');

const folder = mkdtempSync(join(tmpdir(), 'parley-registry-'));
try {
  const host = `127.0.0.1:${(registry.address() as AddressInfo).port}`;
  const place = (project: string) => {
    const at = join(folder, project);
    mkdirSync(at);
    writeFileSync(join(at, 'package.json'), '{ "private": true, "type": "module" }');
    writeFileSync(
      join(at, '.npmrc'),
      `registry=http://${host}/\n//${host}/:_authToken=here\naudit=false\nfund=false\n`,
    );
    return at;
  };
  const project = place('project');
  await npm('Publishing', ['publish', file], project);
  await npm('Installing', ['install', '--prefer-offline', `${name}@${version}`, 'effection', 'zod'], project);
  const entries = Object.keys(manifest.exports).filter((entry) => !/webview|json/.test(entry));
  const load = entries.map((entry) => `await import('${name}${entry.slice(1)}');`).join('\n');
  writeFileSync(join(project, 'load.js'), load);
  await npm('Loading', ['exec', '--', 'node', 'load.js'], project);
  const said = await npm(
    'Starting',
    ['exec', '--yes', '--prefer-offline', `${name}@${version}`, '--', '--version'],
    place('elsewhere'),
  );
  if (!said.includes(version)) throw new Error(`npx ${name} --version says ${said.trim()}, not ${version}.`);
  console.log(
    `${name} ${version} was published to a registry on this machine, installed from it, and started by npx.`,
  );
} finally {
  registry.close();
  registry.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
}
