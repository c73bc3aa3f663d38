import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createSqliteStore, type SqliteStore } from '#src/stores/index.ts';
import { named, newCall } from '../contract/contract.ts';
import { type StoreProcess, startProcess } from './processes.ts';

let folder: string;
let key: Buffer;
let store: SqliteStore;
const processes: StoreProcess[] = [];
const on = <T>(op: (store: SqliteStore) => Operation<T>) => run(() => op(store));

function start(job: string, callId: string, before?: string): StoreProcess {
  const started = startProcess(folder, key, job, callId, before);
  processes.push(started);
  return started;
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  key = randomBytes(32);
  store = createSqliteStore({ folder, keys: [key] });
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const one of processes.splice(0)) await one.kill();
  await store.close();
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

  test('kill -9 of three writers, again and again, loses nothing that was acknowledged', {
    tags: 'long',
    timeout: 240_000,
  }, async () => {
    const ids = ['a', 'b', 'c'];
    for (const id of ids) await on((s) => s.begin(newCall(id))).then((claim) => on((s) => s.release(claim)));
    const acknowledged = new Map(ids.map((id) => [id, 0]));
    const writers = new Map(ids.map((id) => [id, start('append', id)]));
    for (let round = 0; round < 30; round += 1) {
      const id = ids[round % 3] ?? '';
      const writer = writers.get(id);
      await writer?.says(5 + ((7 * round) % 20));
      await writer?.kill();
      const { lines = [] } = (await on((s) => s.read(named(id)))) ?? {};
      expect(lines).toEqual(lines.map((_, at) => at));
      expect(lines.length).toBeGreaterThanOrEqual((acknowledged.get(id) ?? 0) + (writer?.said.length ?? 0));
      acknowledged.set(id, lines.length);
      writers.set(id, start('append', id));
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
    const writer = start('cue', 'a');
    await writer.says(1);
    writer.child.stdin?.write('go\n');
    await writer.says(2);
    writer.child.kill('SIGSTOP');
    const later = createSqliteStore({ folder, keys: [key], now: () => Date.now() + 31_000 });
    const outcome = await run(() => later.claim(named('a')));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    writer.child.stdin?.write('go\n');
    writer.child.kill('SIGCONT');
    expect((await writer.says(3))[2]).toMatch(/^CLAIM_LOST/);

    await run(() => later.append(outcome.claim, { at: 1, lines: ['mine'] }));
    expect((await run(() => later.read(named('a'))))?.lines).toEqual([0, 'mine']);
    await later.close();
  });

  test('a process that is stopped while it writes holds up nobody’s thread; who writes waits for it', async () => {
    const mine = await on((s) => s.begin(newCall('a')));
    const stopped = start('lock', '');
    await stopped.says(1);
    stopped.child.kill('SIGSTOP');
    const order: string[] = [];
    const done = (what: string) => () => void order.push(what);
    const writes = [0, 1, 2].map((at) =>
      on((s) => s.append(mine, { at, lines: [at] })).then(done(`wrote ${at}`)),
    );
    // It waits in the event loop, where others have their turns, and who reads does not wait at all.
    for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual([]);
    expect(order).toEqual([]);
    done('ended')();
    await stopped.kill();
    await Promise.all(writes);
    expect(order).toEqual(['ended', 'wrote 0', 'wrote 1', 'wrote 2']);
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual([0, 1, 2]);
  });

  test('who waits for too long is told why, and what was asked for has not happened', async () => {
    const mine = await on((s) => s.begin(newCall('a')));
    await start('lock', '').says(1);
    const halted = run(() => store.append(mine, { at: 0, lines: ['halted'] }));
    const waiting = on((s) => s.append(mine, { at: 0, lines: ['one'] }));
    const { now } = performance;
    vi.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + 11_000);
    await halted.halt();
    await expect(waiting).rejects.toThrow(
      /calls cannot be saved in .*calls.db: another process has locked it/,
    );
    await processes[0]?.kill();
    await on((s) => s.append(mine, { at: 0, lines: ['two'] }));
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual(['two']);
  });

  test('when files can grow no more it says so, and the call goes on where there is room', async () => {
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    const writer = start('append', 'a', 'trap "" XFSZ; ulimit -f 400');
    await writer.says(1);
    while (!writer.said.at(-1)?.startsWith('STORE_')) await writer.says(writer.said.length + 1);
    expect(writer.said.at(-1)).toMatch(
      /^STORE_UNAVAILABLE: calls cannot be saved in .*: (the disk is full|the disk reports an error. It may be full)/,
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
    await chmod(folder, 0o755);
    const weak = start('weak', 'b');
    const [said] = await weak.says(1);
    expect(said).toMatch(
      /^STORE_UNAVAILABLE: calls cannot be saved in .*[Gg](ive|rant) .*permission|grant it/i,
    );
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual(['kept']);
    expect((await on((s) => s.list())).length).toBe(1);
  });

  test('a folder that every user may write to is refused', async () => {
    const open = join(folder, 'open');
    await mkdir(open);
    await chmod(open, 0o777);
    const refusing = createSqliteStore({ folder: open, keys: [key] });
    await expect(run(() => refusing.check())).rejects.toThrow('every user of this machine may write there');
    expect(await readdir(open)).toEqual([]);
  });

  test('a database that is deleted under a store takes nothing any more; one that is put back is used', async () => {
    const mine = await on((s) => s.begin(newCall('a')));
    await on((s) => s.append(mine, { at: 0, lines: ['one'] }));
    const away = join(folder, 'away.db');
    await rename(join(folder, 'calls.db'), away);
    for (const op of [() => store.check(), () => store.append(mine, { at: 1, lines: ['two'] })])
      await expect(run(op)).rejects.toThrow('calls.db: it is gone');
    await rename(away, join(folder, 'calls.db'));
    await on((s) => s.append(mine, { at: 1, lines: ['two'] }));
    expect((await on((s) => s.read(named('a'))))?.lines).toEqual(['one', 'two']);
  });

  test('ten thousand calls that wait are listed, by whoever looks', {
    tags: 'long',
    timeout: 240_000,
  }, async () => {
    const count = 10_000;
    const ids = Array.from({ length: count }, (_, at) => `call ${at}`);
    await Promise.all(
      ids.map(async (id, at) => {
        const name = named(id, { principal: `${at % 10}` });
        const claim = await on((s) => s.begin(newCall(id, { name, lines: [at], notes: { at } })));
        await on((s) => s.release(claim));
      }),
    );
    const other = createSqliteStore({ folder, keys: [key] });
    const all = await run(() => other.list({ ended: false, limit: 2 * count }));
    expect(new Set(all.map(({ name, notes }) => `${name.callId} ${String(notes.at)}`)).size).toBe(count);
    expect(await run(() => other.list({ principal: '7', limit: count }))).toHaveLength(count / 10);
    expect(await run(() => other.list({ ended: false }))).toHaveLength(100);
    expect(await run(() => other.due())).toEqual([]);
    await other.close();
  });
});
