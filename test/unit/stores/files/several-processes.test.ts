import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CallStore, createFilesStore } from '#src/stores/index.ts';
import { named, newCall } from '../contract/contract.ts';
import { type StoreProcess, startProcess } from './processes.ts';

let folder: string;
let key: Buffer;
let store: CallStore;
const processes: StoreProcess[] = [];
const on = <T>(op: (store: CallStore) => Operation<T>) => run(() => op(store));

function start(job: string, callId: string, before?: string): StoreProcess {
  const started = startProcess(folder, key, job, callId, before);
  processes.push(started);
  return started;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  key = randomBytes(32);
  store = createFilesStore({ folder, keys: [key] });
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill();
  await rm(folder, { recursive: true });
});

describe('several processes on one folder', { timeout: 60_000 }, () => {
  test('kill -9 while appending loses nothing that was acknowledged, and the next goes on at once', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    let acknowledged = 0;
    for (let round = 1; round <= 6; round += 1) {
      const writer = start('append', 'a');
      await writer.says(7 * round);
      await writer.kill();
      acknowledged += writer.said.length;
      const lines = (await on((s) => s.read(named('a'))))?.lines ?? [];
      expect(lines).toEqual(lines.map((_, i) => i));
      expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
      // One was under way when it died: kept, not acknowledged.
      expect(lines.length).toBeLessThanOrEqual(acknowledged + 1);
      acknowledged = lines.length;
    }
  });

  test('kill -9 while beginning leaves whole calls, and none by half', async () => {
    const writer = start('begin', 'n');
    await writer.says(20);
    await writer.kill();
    const calls = await on((s) => s.list());
    expect(calls.length).toBeGreaterThanOrEqual(writer.said.length);
    for (const { name, lineCount } of calls) {
      expect(lineCount).toBe(1);
      expect((await on((s) => s.claim(name))).type).toBe('claimed');
    }
  });

  test('a call belongs to a living process, and to nobody once that is dead', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    const holder = start('hold', 'a');
    expect(await holder.says(1)).toEqual(['claimed']);
    expect(await on((s) => s.claim(named('a')))).toEqual({ type: 'held' });
    expect(await on((s) => s.due())).toEqual([]);
    await holder.kill();

    expect(await on((s) => s.due())).toEqual([{ name: named('a'), why: 'orphan' }]);
    expect((await on((s) => s.claim(named('a')))).type).toBe('claimed');
  });

  test('of processes that claim the same call at once one gets it', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    const racers = Array.from({ length: 4 }, () => start('race', 'a'));
    await Promise.all(racers.map((racer) => racer.says(1)));
    for (const { child } of racers) child.stdin?.write('go\n');
    const outcomes = await Promise.all(racers.map(async (racer) => (await racer.says(2))[1]));

    expect(outcomes.filter((type) => type === 'claimed')).toHaveLength(1);
    expect(outcomes.filter((type) => type === 'held')).toHaveLength(3);
  });

  test('a process that was stopped, and lost its call meanwhile, writes nothing when it goes on', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    const writer = start('append', 'a');
    await writer.says(5);
    writer.child.kill('SIGSTOP');
    const later = createFilesStore({ folder, keys: [key], now: () => Date.now() + 31_000 });
    const outcome = await run(() => later.claim(named('a')));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    const { lines = [] } = (await run(() => later.read(named('a')))) ?? {};
    writer.child.kill('SIGCONT');
    while (!writer.said.at(-1)?.startsWith('CLAIM_LOST')) await writer.says(writer.said.length + 1);

    // Whatever it says was kept had been written before it was stopped.
    expect(lines).toEqual(expect.arrayContaining(writer.said.slice(0, -1).map(Number)));
    expect((await run(() => later.read(named('a'))))?.lines).toEqual(lines);
    await run(() => later.append(outcome.claim, { at: lines.length, lines: ['mine'] }));
    expect((await run(() => later.read(named('a'))))?.lines).toEqual([...lines, 'mine']);
  });

  test('when files can grow no more it says so, and the call goes on where there is room', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    // A limit on the length of files cuts a line in its middle, like a disk that is full.
    const writer = start('append', 'a', 'trap "" XFSZ; ulimit -f 4');
    await writer.says(1);
    while (!writer.said.at(-1)?.startsWith('STORE_')) await writer.says(writer.said.length + 1);
    expect(writer.said.at(-1)).toMatch(
      /^STORE_UNAVAILABLE: calls cannot be saved in .*: (the disk is full|files may not grow)/,
    );
    const acknowledged = writer.said.length - 1;

    const lines = (await on((s) => s.read(named('a'))))?.lines;
    expect(lines).toEqual(Array.from({ length: acknowledged }, (_, i) => i));
    await writer.kill();
    const outcome = await on((s) => s.claim(named('a')));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    await on((s) => s.append(outcome.claim, { at: acknowledged, lines: ['on'] }));
    expect((await on((s) => s.read(named('a'))))?.lines.at(-1)).toBe('on');
  });

  test('a folder that may not be written is said to be one, and what is in it can be read', async () => {
    await on((s) => s.begin(newCall('a', { lines: ['kept'] })));
    await chmod(join(folder, 'marks'), 0o555);
    await chmod(folder, 0o755);
    const weak = start('weak', 'b');
    const [said] = await weak.says(1);
    expect(said).toMatch(/^STORE_UNAVAILABLE: calls cannot be saved in .*this user has no permission/);
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual(['kept']);
    expect(await readdir(join(folder, 'calls'))).toHaveLength(1);
  });
});
