import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from 'effection';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallStore } from '#src/runtime/journal/call-store.ts';
import { createMemoryStore, createSqliteStore } from '#src/stores/index.ts';
import { named, newCall } from './contract/contract.ts';

const MINUTE = 60_000;
const YEAR = 365 * 24 * 60 * MINUTE;

/** How far the time of the machine has been set, and how long it has run meanwhile, milliseconds. */
let set = 0;
let ran = 0;

beforeEach(() => {
  set = 0;
  ran = 0;
  const { now } = Date;
  const ticks = performance.now.bind(performance);
  vi.spyOn(Date, 'now').mockImplementation(() => now() + set + ran);
  vi.spyOn(performance, 'now').mockImplementation(() => ticks() + ran);
});
afterEach(() => void vi.restoreAllMocks());

const stores: readonly [name: string, open: () => Promise<readonly [CallStore, CallStore]>][] = [
  [
    'the memory store',
    async () => {
      const store = createMemoryStore();
      return [store, store];
    },
  ],
  [
    'the SQLite store',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
      onTestFinished(() => rm(folder, { recursive: true }));
      const options = { folder, keys: [randomBytes(32)] };
      const both = [createSqliteStore(options), createSqliteStore(options)] as const;
      // They are there when the time is set.
      for (const store of both) await run(() => store.due());
      return both;
    },
  ],
];

describe.each(stores)('when the machine has slept, or its time is set, %s', (_name, open) => {
  test.each([MINUTE, YEAR])('leaves calls to those who have them: %d ms', async (leap) => {
    const [first, second] = await open();
    const mine = await run(() => first.begin(newCall('a')));
    set += leap;
    expect(await run(() => second.due())).toEqual([]);
    expect(await run(() => second.claim(named('a')))).toEqual({ type: 'held' });
    expect(await run(() => second.read(named('a')))).toMatchObject({ held: true });

    ran += 10_000;
    await run(() => first.renew(mine));
    ran += 25_000;
    expect(await run(() => second.claim(named('a')))).toEqual({ type: 'held' });
    await run(() => first.append(mine, { at: 0, lines: ['mine'] }));
    expect(await run(() => second.read(named('a')))).toMatchObject({ lines: ['mine'] });
  });

  test('gives calls to others where nobody says within half a minute that they have them', async () => {
    const [first, second] = await open();
    await run(() => first.begin(newCall('a')));
    set += MINUTE;
    expect(await run(() => second.claim(named('a')))).toEqual({ type: 'held' });
    ran += 31_000;
    expect(await run(() => second.claim(named('a')))).toMatchObject({ type: 'claimed' });
  });

  test('goes on where it is set back', async () => {
    const [first, second] = await open();
    const mine = await run(() => first.begin(newCall('a')));
    set -= YEAR;
    await run(() => first.renew(mine));
    ran += 31_000;
    expect(await run(() => second.claim(named('a')))).toMatchObject({ type: 'claimed' });
  });
});
