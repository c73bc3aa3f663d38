import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeLeftSockets } from '#src/vscode/left-sockets.ts';

const HOUR = 3_600_000;

test('the sockets of windows that were killed are removed, and nothing else', async () => {
  const place = await mkdtemp(join(tmpdir(), 'parley-left-'));
  onTestFinished(() => rm(place, { recursive: true, force: true }));
  const folder = async (name: string) => {
    const path = join(place, name);
    await mkdir(path);
    return path;
  };
  await killedAt(join(await folder('parley-killed'), 'mcp.sock'));

  const alive = createServer().listen(join(await folder('parley-lives1'), 'mcp.sock'));
  await once(alive, 'listening');
  onTestFinished(() => void alive.close());
  await folder('parley-empty1');
  await writeFile(join(await folder('parley-file12'), 'mcp.sock'), '');
  const beside = await folder('parley-beside');
  await killedAt(join(beside, 'mcp.sock'));
  await writeFile(join(beside, 'notes.txt'), 'mine');
  await killedAt(join(await folder('other-killed'), 'mcp.sock'));
  await symlink(join(place, 'other-killed'), join(place, 'parley-linked'));

  const now = Date.now();
  await removeLeftSockets(place, now);
  expect(await readdir(place)).toContain('parley-killed');

  const before = await readdir(place);
  for (const name of before) await utimes(join(place, name), (now - HOUR) / 1000, (now - HOUR) / 1000);
  await removeLeftSockets(place, now);
  expect(await readdir(place)).toEqual(before.filter((name) => name !== 'parley-killed'));
});

test('a folder for temporary files that cannot be read is let alone', async () => {
  await expect(removeLeftSockets(join(tmpdir(), 'parley-none', 'none'))).resolves.toBeUndefined();
});

/** A process that listens there, and is killed. */
async function killedAt(path: string): Promise<void> {
  const program = `require('node:net').createServer().listen(process.argv[1], () => console.log('listens'))`;
  const child = spawn(process.execPath, ['-e', program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
}
