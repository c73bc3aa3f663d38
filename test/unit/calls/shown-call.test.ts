import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import { expect, it, onTestFinished } from 'vitest';
import { CLAIM_TTL } from '#src/runtime/journal/call-store.ts';
import { createMemoryStore, createSqliteStore, type SqliteStore } from '#src/stores/index.ts';
import { accept, callRig, leg, plain, said } from './call-rig.ts';

/** Stores of two processes on one database; for the second, what the first has not written lately has lapsed. */
async function twoStores(): Promise<readonly [SqliteStore, SqliteStore]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-shown-'));
  const keys = [randomBytes(32)];
  const here = createSqliteStore({ folder, keys });
  const there = createSqliteStore({ folder, keys, now: () => Date.now() + 2 * CLAIM_TTL });
  onTestFinished(async () => {
    await Promise.all([here.close(), there.close()]);
    await rm(folder, { recursive: true, force: true });
  });
  return [here, there];
}

it('a call that cannot move has no lines in a store, and a round of it is opened elsewhere', async () => {
  const store = createMemoryStore();
  await run(function* (): Operation<void> {
    const [here, there] = [yield* callRig({ store }), yield* callRig({ store })];
    const { name, round = '' } = yield* here.calls.start(here.beginning(plain), leg('', {}));
    expect(yield* store.read(name)).toMatchObject({ lines: [], ended: false });
    expect(yield* there.calls.get(name)).toMatchObject({ status: 'waiting', round });
    const answers = { day: accept({ text: 'Monday' }) };
    const reply = yield* there.calls.attach(name, there.beginning(plain), 'blocked', leg(round, answers));
    expect(reply.end).toMatchObject({ type: 'result', value: 'Monday' });
    // The last response may be lost: the same again gets the same, at any process.
    for (const { calls, beginning } of [here, there])
      expect(yield* calls.attach(name, beginning(plain), 'blocked', leg(round, answers))).toMatchObject({
        end: { type: 'result', value: 'Monday' },
      });
  });
});

it('a call that cannot move has ended for others once its process is dead, and its code never runs again', async () => {
  const [store, later] = await twoStores();
  await run(function* (): Operation<void> {
    const here = yield* callRig({ store });
    const { name, round = '' } = yield* here.calls.start(here.beginning(plain), leg('', {}));
    const there = yield* callRig({ store: later });
    const aborted = {
      status: 'ended',
      end: { type: 'aborted', reason: 'the process that ran it has ended' },
    };
    expect(yield* there.calls.get(name)).toMatchObject(aborted);
    expect(yield* there.calls.send(name, said('1', { day: accept({ text: 'x' }) }))).toBe('closed');
    const reply = there.calls.attach(name, there.beginning(plain), 'blocked', leg(round, {}));
    expect(yield* reply).toMatchObject(aborted);
    expect(there.manager.listActive()).toEqual([]);
    // Now it is written, so that everybody says the same for good.
    expect(yield* later.read(name)).toMatchObject({ ended: true });
  });
});

it('a call that cannot be shown goes on, and that is reported', async () => {
  const store = createMemoryStore({ bounds: { calls: 1, share: 1 } });
  const problems: string[] = [];
  await run(function* (): Operation<void> {
    const report = (message: string) => problems.push(message);
    const { calls, beginning } = yield* callRig({ store, report });
    yield* calls.start(beginning(plain), leg('', {}));
    const { name, round = '' } = yield* calls.start(beginning(plain), leg('', {}));
    const answers = { day: accept({ text: 'Monday' }) };
    const reply = yield* calls.attach(name, beginning(plain), 'blocked', leg(round, answers));
    expect(reply.end).toMatchObject({ type: 'result', value: 'Monday' });
  });
  expect(problems).toContain('how a call stands could not be saved');
});
