import { chmod, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { expect, it, onTestFinished } from 'vitest';
import { inboxFolder } from '#src/stores/inbox-folder.ts';
import { openMachineInbox } from '#src/stores/machine-inbox.ts';

const linux = { platform: 'linux', home: '/home/ann' } as const;

it.each([
  [{ ...linux, env: {} }, '/home/ann/.local/state/parley/inbox'],
  [{ ...linux, env: { XDG_STATE_HOME: '/var/ann' } }, '/var/ann/parley/inbox'],
  [{ ...linux, env: { XDG_STATE_HOME: 'not/absolute' } }, '/home/ann/.local/state/parley/inbox'],
  [{ ...linux, platform: 'darwin' as const, env: {} }, '/home/ann/Library/Application Support/parley/inbox'],
  [{ ...linux, env: { CI: 'true' } }, undefined],
  [{ ...linux, env: { CI: 'false' } }, '/home/ann/.local/state/parley/inbox'],
  [{ ...linux, env: { PARLEY_INBOX: 'none' } }, undefined],
  [{ ...linux, env: { PARLEY_INBOX: '/own', CI: 'true' } }, '/own'],
])('the inbox of a person is in a folder of theirs, and nowhere in CI: %j', (place, folder) => {
  expect(inboxFolder(undefined, place)).toBe(folder);
});

it('an inbox that is named in a command is there, whatever the environment says', () => {
  const place = { ...linux, env: { PARLEY_INBOX: 'none', CI: 'true' } };
  expect(inboxFolder('/named', place)).toBe('/named');
  expect(inboxFolder('none', { ...linux, env: {} })).toBeUndefined();
});

/** A folder that is not there yet. */
async function newFolder(): Promise<string> {
  const above = await mkdtemp(join(tmpdir(), 'parley-inbox-'));
  onTestFinished(() => rm(above, { recursive: true, force: true }));
  return join(above, 'parley', 'inbox');
}

const begins = { name: { principal: '', conversation: '', callId: '1' }, header: {} };

it('what waits is sealed in files of its owner, by one key for all programs', async () => {
  const folder = await newFolder();
  const stores = [0, 1].map(() => openMachineInbox(folder, () => {}));
  onTestFinished(async () => {
    for (const store of stores) await store.close();
  });
  await run(() => stores[0]?.begin(begins) ?? []);
  expect(await run(() => stores[1]?.list() ?? [])).toMatchObject([{ held: true }]);
  for (const name of ['.', ...(await readdir(folder))])
    expect((await stat(join(folder, name))).mode & 0o077, name).toBe(0);
  expect((await readdir(folder)).filter((name) => name.startsWith('key'))).toEqual(['key']);
});

it.skipIf(process.platform === 'win32')('an inbox that others can open is refused in words', async () => {
  for (const [path, mode] of [
    ['.', 0o755],
    ['key', 0o644],
  ] as const) {
    const folder = await newFolder();
    await openMachineInbox(folder, () => {}).close();
    await chmod(join(folder, path), mode);
    expect(() => openMachineInbox(folder, () => {})).toThrow('can be opened by other users');
  }
});

it('an inbox without its key is refused in words, and stays as it is', async () => {
  const folder = await newFolder();
  await openMachineInbox(folder, () => {}).close();
  await writeFile(join(folder, 'key'), 'short\n');
  expect(() => openMachineInbox(folder, () => {})).toThrow('does not contain a key');
});
