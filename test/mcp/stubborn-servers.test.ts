import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';
import { cli } from './kit/parley-serve.ts';
import { running } from './kit/running.ts';
import { stubborn } from './kit/stubborn.ts';

const node = process.execPath;
const patience = { timeout: 30_000, interval: 200 };

/** `parley serve` with four of them, all of which run. */
async function serveStubborn() {
  const folder = tempFolder();
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
