import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createFilesStore } from '#src/stores/index.ts';
import { newCall, storeContract } from '../contract/contract.ts';
import { openFilesStore } from './open-files-store.ts';

storeContract('the files store', openFilesStore(), false);
storeContract(
  'the files store in a hurry',
  openFilesStore(() => true),
  false,
);

describe('who is in a hurry', () => {
  const count = 20;

  /** Lists calls, claims them and reads their events; says how many turns of the event loop that took. */
  async function taken(now: () => number): Promise<{ readonly events: readonly unknown[]; turns: number }> {
    const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const keys = [randomBytes(32)];
    await run(function* () {
      const store = createFilesStore({ folder, keys });
      for (let n = 0; n < count; n++) {
        const claim = yield* store.begin(newCall(`call ${n}`));
        yield* store.appendEvents(claim, { events: [n] });
        yield* store.release(claim);
      }
    });
    const next = createFilesStore({ folder, keys, now, inHurry: () => true });
    let turns = 0;
    const turn = setInterval(() => turns++, 0);
    onTestFinished(() => clearInterval(turn));
    return await run(function* () {
      const events: unknown[] = [];
      for (const { name } of yield* next.list({ ended: false, likely: true })) {
        if ((yield* next.claim(name)).type === 'claimed') events.push(...(yield* next.readEvents(name)));
      }
      return { events, turns };
    });
  }
  const all = [...Array(count).keys()];

  test('has calls listed, claimed and read within one turn of the event loop', async () => {
    const time = Date.now();
    const { events, turns } = await taken(() => time);
    expect([...events].sort((a, b) => Number(a) - Number(b))).toEqual(all);
    expect(turns).toBe(0);
  });

  test('lets others have their turn where that takes long', async () => {
    let time = Date.now();
    const { events, turns } = await taken(() => (time += 10));
    expect([...events].sort((a, b) => Number(a) - Number(b))).toEqual(all);
    expect(turns).toBeGreaterThan(1);
  });
});

describe('whether calls can be kept', () => {
  async function storeIn() {
    const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const fresh = () => createFilesStore({ folder, keys: [randomBytes(32)] });
    const store = fresh();
    await run(() => store.check());
    return { folder, store, fresh };
  }

  test('is tried where they would be, and leaves nothing', async () => {
    const { folder, store } = await storeIn();
    await Promise.all(Array.from({ length: 10 }, () => run(() => store.check())));
    expect(await readdir(join(folder, 'marks'))).toEqual([]);
    expect(await run(() => store.list())).toEqual([]);
  });

  test.each(['calls', 'marks'])('is no where a file is in the place of the folder of %s', async (name) => {
    const { folder, store } = await storeIn();
    await rm(join(folder, name), { recursive: true });
    await writeFile(join(folder, name), '');
    await expect(run(() => store.check())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('is no where the folder is gone', async () => {
    const { folder, store } = await storeIn();
    await rm(folder, { recursive: true });
    await expect(run(() => store.check())).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
  });

  test('is no where a later Parley has written', async () => {
    const { folder, fresh } = await storeIn();
    await writeFile(join(folder, 'store.json'), JSON.stringify({ format: 99, id: 'x' }));
    await expect(run(() => fresh().check())).rejects.toMatchObject({ code: 'STORE_VERSION' });
  });
});
