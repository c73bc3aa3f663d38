import { randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { forgetOldKeys, isOtherKey } from '#src/vscode/calls/history/place/old-keys.ts';
import { keyName, sharedStorage } from '#src/vscode/calls/history/place/shared-storage.ts';
import { tempFolder } from '#test/temp-folder.ts';

type Home = Parameters<typeof sharedStorage>[0];
// Of an address of VS Code only the path is read.
const home = (storage: string | undefined) =>
  ({ storageUri: storage && { fsPath: storage }, globalStorageUri: { fsPath: '/data/global' } }) as Home;

describe('the storage of the windows on a folder', () => {
  it('is that of the first of them', () => {
    const first = '/data/workspaceStorage/-4f0c21/parley.parley-mcp';
    expect(sharedStorage(home(first))).toEqual({ folder: first, window: 0 });
    const second = '/data/workspaceStorage/-4f0c21-1/parley.parley-mcp';
    expect(sharedStorage(home(second))).toEqual({ folder: first, window: 1 });
  });

  it('is found on Windows, too, whatever else has a number', () => {
    const first = String.raw`C:\data-1\workspaceStorage\ab12\parley.parley-mcp`;
    const third = String.raw`C:\data-1\workspaceStorage\ab12-2\parley.parley-mcp`;
    expect(sharedStorage(home(third))).toEqual({ folder: first, window: 2 });
    for (const own of [first, '/data/-1/parley', '/data/ab-12/parley', '/data-1/ab/parley'])
      expect(sharedStorage(home(own))).toEqual({ folder: own, window: 0 });
  });

  it('is that of all of Parley where there is no folder', () => {
    expect(sharedStorage(home(undefined))).toEqual({ folder: '/data/global', window: undefined });
  });
});

describe('calls that other keys have sealed', () => {
  const DAY = 86_400_000;

  it('are thrown away once nobody has touched any of them for as long as calls are kept', async () => {
    const storage = tempFolder();
    const now = Date.now();
    const [own, gone, used] = [1, 2, 3].map(() => keyName(randomBytes(32))) as [string, string, string];
    const old = new Date(now - 31 * DAY);
    for (const name of [own, gone, used, 'notes of mine']) {
      const calls = join(storage, 'calls', name);
      await mkdir(calls, { recursive: true });
      await writeFile(join(calls, 'calls.db'), '');
      if (name !== used) await utimes(join(calls, 'calls.db'), old, old);
      await utimes(calls, old, old);
    }
    await forgetOldKeys(storage, own, 30 * DAY, now - 2 * DAY);
    expect(await readdir(join(storage, 'calls'))).toHaveLength(4);
    await forgetOldKeys(storage, own, 30 * DAY, now);
    expect((await readdir(join(storage, 'calls'))).sort()).toEqual([own, used, 'notes of mine'].sort());
  });

  it('are said to be lost where the key is another than the last time, and only where there are some', async () => {
    const storage = tempFolder();
    const [own, before] = [1, 2].map(() => keyName(randomBytes(32))) as [string, string];
    expect(isOtherKey(storage, before, own)).toBe(false);
    await mkdir(join(storage, 'calls', before), { recursive: true });
    expect(isOtherKey(storage, before, own)).toBe(true);
    // The first time, the same key, and what is no name of a key.
    for (const none of [undefined, before, 7, '..', `../calls/${before}`])
      expect(isOtherKey(storage, none, before)).toBe(false);
  });

  it('are not missed where there are none yet', async () => {
    await forgetOldKeys('/nowhere/at/all', 'own', DAY, Date.now());
  });
});
