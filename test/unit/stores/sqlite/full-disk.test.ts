import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const script = join(import.meta.dirname, 'full-disk.ts');
const execute = promisify(execFile);
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-full-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const jsonOf = async (...command: readonly string[]) => {
  const [program = '', ...args] = command;
  return JSON.parse((await execute(program, args)).stdout) as Record<string, unknown>;
};

/** Whether this machine lets us mount a file system that only one process sees. */
const canMount = execute('unshare', ['-rm', 'true']).then(
  () => true,
  () => false,
);

describe('a store without room', () => {
  test('refuses what it cannot write, with a clear word, and has all that it has acknowledged', async () => {
    const said = await jsonOf(
      'sh',
      '-c',
      'ulimit -f 1000; exec "$0" "$@"',
      process.execPath,
      script,
      folder,
      'limited',
    );
    expect(said.full).toBe('STORE_UNAVAILABLE');
    expect(said.whileFull).toBeGreaterThan(10);
    expect(said.readWhileFull).toBe(said.whileFull);
  }, 60_000);

  test('goes on once there is room on its disk; a disk that cannot be written harms nothing either', async () => {
    if (!(await canMount)) return;
    const mounting = 'mount -t tmpfs -o size=1m tmpfs "$1" && exec "$2" "$3" "$1"';
    const inside = ['sh', '-c', mounting, 'sh', folder, process.execPath, script];
    const said = await jsonOf('unshare', '-rm', ...inside);
    expect(said).toMatchObject({
      full: 'STORE_UNAVAILABLE',
      newCall: 'STORE_UNAVAILABLE',
      probe: 'STORE_UNAVAILABLE',
      readOnly: 'STORE_UNAVAILABLE',
      readOnlyNew: 'STORE_UNAVAILABLE',
      readOnlyProbe: 'STORE_UNAVAILABLE',
    });
    expect(said.probeWithRoom).toBeUndefined();
    expect(said.readWhileFull).toBe(said.whileFull);
    expect([said.kept, said.read]).toEqual([Number(said.whileFull) + 2, Number(said.whileFull) + 3]);
  }, 60_000);
});
