import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSqliteStore } from '#src/stores/index.ts';
import { named, newCall, refused } from '../contract/contract.ts';

const key = randomBytes(32);

/** A store whose folder can be put back to where it was, as a backup does, while the store is in use. */
async function aFolder() {
  const folder = await mkdtemp(join(tmpdir(), 'parley-back-'));
  const saved = await mkdtemp(join(tmpdir(), 'parley-backup-'));
  onTestFinished(async () => {
    for (const one of [folder, saved]) await rm(one, { recursive: true });
  });
  return {
    store: createSqliteStore({ folder, keys: [key] }),
    another: () => createSqliteStore({ folder, keys: [key] }),
    save: () => cp(folder, saved, { recursive: true }),
    async putBack() {
      for (const file of await readdir(folder)) await rm(join(folder, file));
      await cp(saved, folder, { recursive: true });
    },
  };
}

describe('a folder of calls that is put back to an earlier state', () => {
  test('takes no line that follows one which it has lost: who writes is told, and what is there can be read', async () => {
    const { store, another, save, putBack } = await aFolder();
    const claim = await run(() => store.begin(newCall('a')));
    await run(() => store.append(claim, { at: 0, lines: ['one'] }));
    await save();
    await run(() => store.append(claim, { at: 1, lines: ['two'] }));
    await putBack();
    const missing = run(() => store.append(claim, { at: 2, lines: ['three'] }));
    await expect(missing).rejects.toThrow('lines between are missing');
    expect((await run(() => another().read(named('a'))))?.lines).toEqual(['one']);
    // What it missed can still be said, and then what follows.
    await run(() => store.append(claim, { at: 1, lines: ['two', 'three'] }));
    expect((await run(() => another().read(named('a'))))?.lines).toEqual(['one', 'two', 'three']);
  });

  test('gives a call back to whoever had it then: who has it now is told that it has lost it', async () => {
    const { store, another, save, putBack } = await aFolder();
    const first = await run(() => store.begin(newCall('a')));
    await run(() => store.append(first, { at: 0, lines: ['one'] }));
    await save();
    await run(() => store.release(first));
    const second = await run(() => store.claim(named('a')));
    if (second.type !== 'claimed') throw new Error('nobody has it');
    await run(() => store.append(second.claim, { at: 1, lines: ['two'] }));
    await putBack();
    await refused(
      run(() => store.append(second.claim, { at: 2, lines: ['three'] })),
      'CLAIM_LOST',
    );
    expect((await run(() => another().read(named('a'))))?.lines).toEqual(['one']);
  });

  test('has no call that was begun since: its holder is told, and it can be begun again', async () => {
    const { store, save, putBack } = await aFolder();
    await run(() => store.begin(newCall('a')));
    await save();
    const later = await run(() => store.begin(newCall('b')));
    await putBack();
    await refused(
      run(() => store.append(later, { at: 0, lines: ['one'] })),
      'CLAIM_LOST',
    );
    await run(() => store.begin(newCall('b')));
    expect((await run(() => store.list())).map(({ name }) => name.callId).sort()).toEqual(['a', 'b']);
  });
});
