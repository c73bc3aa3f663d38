import { randomBytes } from 'node:crypto';
import { type Operation, run } from 'effection';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Claim } from '#src/stores/index.ts';
import { createPostgresStore, type PostgresStore } from '#src/stores/postgres/index.ts';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { named, newCall, refused } from '../contract/contract.ts';
import { type StoreProcess, startProcess } from '../sqlite/processes.ts';
import { query } from './query.ts';

const key = randomBytes(32);
const processes: StoreProcess[] = [];
const stores: PostgresStore[] = [];
let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres();
});
afterEach(async () => {
  for (const one of processes.splice(0)) await one.kill();
  for (const one of stores.splice(0)) await one.close();
});
afterAll(() => postgres.close());

function open(url = postgres.url, schema = 'parley', now?: () => number): PostgresStore {
  const store = createPostgresStore({ url, schema, keys: [key], ...(now && { now }) });
  stores.push(store);
  return store;
}

function start(job: string, callId: string): StoreProcess {
  const started = startProcess(postgres.url, key, job, callId);
  processes.push(started);
  return started;
}

const claimedBy = (store: PostgresStore, callId: string) => async () =>
  (await run(() => store.claim(named(callId)))).type;

describe('several servers on one PostgreSQL', () => {
  test('kill -9 while appending loses nothing that was acknowledged, and the next goes on at once', {
    tags: 'long',
  }, async () => {
    const store = open();
    const on = <T>(op: (store: PostgresStore) => Operation<T>) => run(() => op(store));
    await on((s) => s.begin(newCall('a'))).then((claim) => on((s) => s.release(claim)));
    let acknowledged = 0;
    for (let round = 1; round <= 2; round += 1) {
      const writer = start('append', 'a');
      await writer.says(7 * round);
      await writer.kill();
      acknowledged += writer.said.length;
      // Long before thirty seconds are over.
      let mine: Claim | undefined;
      const claim = async () => {
        const outcome = await on((s) => s.claim(named('a')));
        if (outcome.type === 'claimed') mine = outcome.claim;
        return outcome.type;
      };
      await expect.poll(claim, { timeout: 25_000 }).toBe('claimed');
      if (!mine) throw new Error('no claim');
      const given = mine;
      await on((s) => s.release(given));
      const lines = (await on((s) => s.read(named('a'))))?.lines ?? [];
      expect(lines).toEqual(lines.map((_, i) => i));
      expect(lines.length).toBeGreaterThanOrEqual(acknowledged);
      expect(lines.length).toBeLessThanOrEqual(acknowledged + 1);
      acknowledged = lines.length;
    }
  });

  test('kill -9 while beginning leaves whole calls, and none by half', async () => {
    const store = open();
    const writer = start('begin', 'n');
    await writer.says(20);
    await writer.kill();
    const calls = await run(() => store.list({ ended: false, limit: 1000 }));
    const begun = calls.filter(({ name }) => name.callId.startsWith('n '));
    expect(begun.length).toBeGreaterThanOrEqual(writer.said.length);
    for (const { lineCount } of begun) expect(lineCount).toBe(1);
  });

  test('who claims while the holder before still writes is given that, too', async () => {
    const [mine, theirs] = [open(), open(postgres.url, 'parley', () => Date.now() + 60_000)];
    const claim = await run(() => mine.begin(newCall('late')));
    await run(() => theirs.check());
    const blocker = new pg.Client(postgres.url);
    await blocker.connect();
    await blocker.query('begin; select from parley.calls for update');
    const waiting = async () =>
      (await query(postgres.url, "select from pg_stat_activity where wait_event_type = 'Lock'")).length;
    const written = run(() => mine.append(claim, { at: 0, lines: ['late'], release: true }));
    await expect.poll(waiting, { timeout: 30_000 }).toBe(1);
    // It has lapsed for who claims it, and is locked by who writes.
    const claimed = run(() => theirs.claim(named('late')));
    await expect.poll(waiting, { timeout: 30_000 }).toBe(2);
    await blocker.query('rollback');
    await blocker.end();
    await written;
    expect(await claimed).toMatchObject({ type: 'claimed', call: { lines: ['late'] } });
  });

  test('a holder whose connections are cut is alive again at once, and keeps what it holds', async () => {
    const [mine, theirs] = [open(), open()];
    const claim = await run(() => mine.begin(newCall('cut')));
    await run(() => theirs.check());
    await query(
      postgres.url,
      `select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()
      and application_name = 'parley'`,
    );
    await run(() => mine.append(claim, { at: 0, lines: ['still here'] }));
    // The lock that shows it is there again.
    await expect
      .poll(
        async () =>
          (await query(postgres.url, "select from pg_locks where locktype = 'advisory' and granted")).length,
        {
          timeout: 30_000,
        },
      )
      .toBeGreaterThanOrEqual(2);
    expect(await claimedBy(theirs, 'cut')()).toBe('held');
    await run(() => mine.append(claim, { at: 1, lines: ['and here'] }));
    expect((await run(() => theirs.read(named('cut'))))?.lines).toEqual(['still here', 'and here']);
  });

  test('a store that is closed gives way like a process that died', async () => {
    const [mine, theirs] = [open(), open()];
    await run(() => mine.begin(newCall('closed')));
    expect(await claimedBy(theirs, 'closed')()).toBe('held');
    await mine.close();
    await expect.poll(claimedBy(theirs, 'closed'), { timeout: 25_000 }).toBe('claimed');
    await refused(
      run(() => mine.check()),
      'STORE_UNAVAILABLE',
    );
  });
});

describe('the tables', () => {
  test('are changed by a newer Parley under one that runs, and it goes on', async () => {
    const store = open(postgres.url, 'rolling');
    await run(() => store.begin(newCall('a', { lines: ['kept'] })));
    // An addition, as a later version makes it.
    await query(
      postgres.url,
      'alter table rolling.calls add column later text; update rolling.store set version = 2',
    );
    const claim = await run(() => store.begin(newCall('b')));
    await run(() => store.append(claim, { at: 0, lines: ['new'] }));
    const again = open(postgres.url, 'rolling');
    expect((await run(() => again.read(named('a'))))?.lines).toEqual(['kept']);
    expect((await run(() => again.read(named('b'))))?.lines).toEqual(['new']);
  });

  test('that only a newer Parley may write are refused', async () => {
    await run(() => open(postgres.url, 'newer').check());
    await query(postgres.url, 'update newer.store set version = 3, oldest = 3');
    await refused(
      run(() => open(postgres.url, 'newer').check()),
      'STORE_VERSION',
    );
  });

  test('may belong to somebody else: a user who can only read and write rows is enough', async () => {
    await run(() => open(postgres.url, 'shared').check());
    await query(
      postgres.url,
      `create user worker password 'other'; grant usage on schema shared to worker;
       grant select, insert, update, delete on all tables in schema shared to worker;
       grant usage on all sequences in schema shared to worker`,
    );
    const store = open(postgres.at({ user: 'worker', password: 'other' }), 'shared');
    await run(() => store.begin(newCall('a', { lines: [1] })));
    expect((await run(() => store.read(named('a'))))?.lines).toEqual([1]);
    const elsewhere = open(postgres.at({ user: 'worker', password: 'other' }), 'forbidden');
    await expect(run(() => elsewhere.check())).rejects.toThrow('this user has no permission for that');
  });

  test('show people what there is, and nothing of what it holds', async () => {
    const store = open(postgres.url, 'shown');
    await run(() => store.begin(newCall('secret-name', { lines: ['secret-line'], due: Date.now() })));
    const [row] = await query(
      postgres.url,
      'select state, lines, due is not null as due from shown.overview',
    );
    expect(row).toEqual({ state: 'held', lines: 1, due: true });
  });

  test.each(['', 'Parley', 'a"; drop table calls; --', 'ä', 'x'.repeat(51), 'a\u0000'])(
    'have no schema %j',
    (schema) => {
      expect(() => createPostgresStore({ url: postgres.url, schema, keys: [key] })).toThrow(TypeError);
    },
  );
});
