import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { cli } from './kit/parley-serve.ts';
import { running } from './kit/running.ts';

const node = process.execPath;
const patience = { timeout: 30_000, interval: 200 };

/** A server of 2025-11-25 that ends neither with its input nor by SIGTERM. So does what it has started. */
const stubborn = `
  process.on('SIGTERM', () => {});
  setInterval(() => {}, 1_000);
  const own = "process.on('SIGTERM', () => {}); setInterval(() => {}, 1_000);";
  require('node:child_process').spawn(process.execPath, ['-e', own, process.argv[1]], { stdio: 'ignore' });
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const answer = method === 'initialize'
      ? { result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 's', version: '1' } } }
      : { error: { code: -32601, message: 'unknown' } };
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }));
  });
`;

/** `parley serve` with four of them, all of which run. */
async function serveStubborn() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-stubborn-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const mark = `parley-stubborn-${Math.random()}`;
  onTestFinished(async () => {
    for (const line of await running(mark)) process.kill(Number.parseInt(line, 10), 'SIGKILL');
  });
  const path = join(folder, 'servers.json');
  const entry = { command: node, args: ['-e', stubborn, mark] };
  await writeFile(path, JSON.stringify({ servers: { a: entry, b: entry, c: entry, d: entry } }));
  const child = spawn(node, [cli, 'serve', '--servers', path], { stdio: ['pipe', 'ignore', 'ignore'] });
  await vi.waitFor(async () => expect(await running(mark)).toHaveLength(8), patience);
  return { child, mark };
}

describe('servers that do not end with their input', () => {
  it('are gone after parley serve was killed, with what they have started', async () => {
    const { child, mark } = await serveStubborn();
    child.kill('SIGKILL');
    await once(child, 'exit');
    await vi.waitFor(async () => expect(await running(mark)).toEqual([]), patience);
  });

  it('are gone when parley serve has ended after SIGTERM', async () => {
    const { child, mark } = await serveStubborn();
    child.kill('SIGTERM');
    await once(child, 'exit');
    await vi.waitFor(async () => expect(await running(mark)).toEqual([]), patience);
  });
});
