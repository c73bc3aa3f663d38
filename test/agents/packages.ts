import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import manifest from '../../package.json' with { type: 'json' };
import { npm } from '../harness/npm.ts';
import { npmRegistry } from '../harness/npm-registry.ts';
import { repoRoot } from '../harness/paths.ts';

/** Keeps in a file all that npm fetches to run this build of Parley by npx. */
export async function keepPackages(file: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parley-packages-'));
  const kept: Record<string, string> = {};
  const published = await npmRegistry(manifest.name);
  const behind = /^registry=(.*)\/$/m.exec(published.settings)?.[1] ?? '';
  const recorder = await registryOf(async (path) => {
    const reply = await fetch(`${behind}${path}`);
    const body = Buffer.from(await reply.arrayBuffer());
    if (reply.ok) kept[path] = body.toString('base64');
    return reply.ok ? body : undefined;
  });
  try {
    const tarball = join(folder, 'parley-mcp.tgz');
    execFileSync(process.execPath, [join(repoRoot, 'build/release/package.ts'), '--npm', '--out', tarball]);
    writeFileSync(join(folder, '.npmrc'), published.settings);
    await npm('Publishing', ['publish', tarball], folder);
    writeFileSync(join(folder, '.npmrc'), recorder.settings);
    const flags = ['--yes', '--cache', join(folder, 'cache')];
    await npm('Fetching', ['exec', ...flags, manifest.name, '--', '--version'], folder);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(kept));
  } finally {
    published.close();
    recorder.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A registry of what was kept. */
export function packageRegistry(file: string) {
  const kept: Readonly<Record<string, string>> = JSON.parse(readFileSync(file, 'utf8'));
  return registryOf(async (path) => {
    const body = kept[path];
    return body === undefined ? undefined : Buffer.from(body, 'base64');
  });
}

async function registryOf(give: (path: string) => Promise<Buffer | undefined>) {
  const server = createServer(async (req, res) => {
    const body = await give(decodeURIComponent(req.url ?? '')).catch(() => undefined);
    res.writeHead(body === undefined ? 404 : 200).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    // Whatever host the addresses of packages name.
    settings: `registry=http://127.0.0.1:${port}/\nreplace-registry-host=always\naudit=false\nfund=false\n`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
