import { randomBytes } from 'node:crypto';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { type Operation, run } from 'effection';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isParleyError } from '#src/core/errors/errors.ts';
import type { Claim } from '#src/stores/index.ts';
import {
  createPostgresStore,
  type PostgresStore,
  type PostgresStoreOptions,
} from '#src/stores/postgres/index.ts';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { named, newCall, refused } from '../contract/contract.ts';
import { query } from './query.ts';

const keys = [randomBytes(32)];
const stores: PostgresStore[] = [];
const wires: Server[] = [];
let postgres: Postgres;

beforeAll(async () => {
  postgres = await startPostgres({ max_connections: '20', superuser_reserved_connections: '1' });
});
afterEach(async () => {
  for (const one of stores.splice(0)) await one.close();
  for (const one of wires.splice(0)) one.close();
});
afterAll(() => postgres.close());

function open(more: Partial<PostgresStoreOptions> = {}): PostgresStore {
  const store = createPostgresStore({ url: postgres.url, keys, connections: 4, ...more });
  stores.push(store);
  return store;
}

/** What a person reads when it is refused. */
async function problemOf(op: () => Operation<unknown>): Promise<string> {
  const error = await run(op).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!isParleyError(error, 'STORE_UNAVAILABLE')) throw new Error(`not refused: ${String(error)}`);
  return error.message;
}

/** Takes all connections that there are. */
async function hoggedAll(): Promise<readonly pg.Client[]> {
  const hogs: pg.Client[] = [];
  for (;;) {
    const hog = new pg.Client(postgres.at({ user: 'hog', password: 'hog' }));
    try {
      await hog.connect();
    } catch {
      return hogs;
    }
    hogs.push(hog);
  }
}

async function again<T>(op: () => Operation<T>): Promise<T> {
  let value: T | undefined;
  await expect
    .poll(
      async () => {
        value = await run(op);
        return true;
      },
      { timeout: 30_000 },
    )
    .toBe(true);
  return value as T;
}

describe('a PostgreSQL that fails', () => {
  test.each(['SIGINT', 'SIGQUIT'] as const)(
    'is away and comes back (%s): nothing acknowledged is lost, who asks is told, and it goes on by itself',
    async (signal) => {
      const store = open();
      const callId = `away ${signal}`;
      const claim = await run(() => store.begin(newCall(callId, { lines: [0] })));
      await postgres.stop(signal);
      const append = () => store.append(claim, { at: 1, lines: [1] });
      expect(await problemOf(append)).toMatch(/cannot be reached|stopped or started/);
      expect(await problemOf(() => store.begin(newCall('new')))).toMatch(
        /cannot be reached|stopped or started/,
      );
      await postgres.start();
      await again(append);
      expect((await run(() => store.read(named(callId))))?.lines).toEqual([0, 1]);
      expect(await run(() => store.read(named('new')))).toBeUndefined();
    },
  );

  test('is restarted under writers: every acknowledged line is there once, and each goes on', {
    tags: 'long',
  }, async () => {
    const [first, second] = [open(), open()];
    const ids = Array.from({ length: 20 }, (_, i) => `writer ${i}`);
    const writers = ids.map(async (callId, i) => {
      const store = i % 2 ? first : second;
      const claim: Claim = await again(() => store.begin(newCall(callId)));
      for (let at = 0; at < 30; at += 1) await again(() => store.append(claim, { at, lines: [at] }));
    });
    for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
      await postgres.stop(signal);
      await postgres.start();
    }
    await Promise.all(writers);
    const all = Array.from({ length: 30 }, (_, i) => i);
    for (const callId of ids) expect((await run(() => first.read(named(callId))))?.lines).toEqual(all);
  });

  test('only reads: who writes is told, what is there can be read, and it goes on', async () => {
    const store = open();
    const claim = await run(() => store.begin(newCall('standby', { lines: [0] })));
    await query(postgres.url, 'alter system set default_transaction_read_only = on');
    await query(postgres.url, 'select pg_reload_conf()');
    await expect
      .poll(() => problemOf(() => store.append(claim, { at: 1, lines: [1] })).catch(String), {
        timeout: 30_000,
      })
      .toContain('read-only, like a standby');
    expect(await problemOf(() => store.check())).toContain('read-only, like a standby');
    expect((await run(() => store.read(named('standby'))))?.lines?.[0]).toBe(0);
    await query(postgres.url, 'alter system reset default_transaction_read_only');
    await query(postgres.url, 'select pg_reload_conf()');
    const { lineCount = 0 } = (await run(() => store.read(named('standby')))) ?? {};
    await again(() => store.append(claim, { at: lineCount, lines: ['last'] }));
    expect((await run(() => store.read(named('standby'))))?.lines?.at(-1)).toBe('last');
  });

  test('has no connection left: who asks is told, and goes on once there is one', async () => {
    // Before: who is refused holds the last connection for a moment longer.
    await query(
      postgres.url,
      "create user hog password 'hog'; create user guest password 'guest'; grant create on database postgres to guest",
    );
    const guest = open({ url: postgres.at({ user: 'guest', password: 'guest' }), schema: 'guest' });
    const hogs = await hoggedAll();
    try {
      expect(await problemOf(() => guest.check())).toContain('no connection left');
    } finally {
      for (const hog of hogs) await hog.end();
    }
    await again(() => guest.check());
    await run(() => guest.begin(newCall('a')));
  });

  test('is slow: who asks is told after a while, and the line is there once', {
    timeout: 120_000,
  }, async () => {
    const store = open();
    const claim = await run(() => store.begin(newCall('slow')));
    const blocker = new pg.Client(postgres.url);
    await blocker.connect();
    await blocker.query('begin; lock table parley.calls in access exclusive mode');
    const append = () => store.append(claim, { at: 0, lines: ['once'] });
    expect(await problemOf(append)).toContain('takes too long');
    await blocker.query('rollback');
    await blocker.end();
    await again(append);
    expect((await run(() => store.read(named('slow'))))?.lines).toEqual(['once']);
  });
});

/** PostgreSQL behind a wire that can break. */
interface Wire {
  readonly url: string;
  /** Breaks it as the answer to this statement comes, once, or until it is mended. */
  breakAt(statement: string, untilMended?: 'until mended'): void;
  mend(): Promise<void>;
}

async function behindWire(): Promise<Wire> {
  let at: string | undefined;
  let stays = false;
  const { port: there, hostname } = new URL(postgres.url);
  const wire = createServer((client) => {
    const server = connect(Number(there), hostname);
    let breaks = false;
    client.on('data', (data) => {
      breaks ||= at !== undefined && data.includes(at);
    });
    client.pipe(server);
    server.on('data', (data) => {
      if (!breaks) return void client.write(data);
      if (stays) wire.close();
      at = undefined;
      client.destroy();
      server.destroy();
    });
    for (const end of [client, server]) end.on('error', () => {});
    client.on('close', () => server.destroy());
  });
  const listen = (port: number) => new Promise<void>((ready) => wire.listen(port, '127.0.0.1', ready));
  await listen(0);
  wires.push(wire);
  const { port } = wire.address() as AddressInfo;
  const url = new URL(postgres.url);
  url.port = String(port);
  return {
    url: url.href,
    breakAt: (statement, untilMended) => {
      at = statement;
      stays = untilMended !== undefined;
    },
    mend: () => listen(port),
  };
}

test('a call that was given back as the connection was lost is given back, once', async () => {
  const wire = await behindWire();
  const store = open({ url: wire.url });
  const claim = await run(() => store.begin(newCall('given back')));
  wire.breakAt('parley_append');
  await run(() => store.append(claim, { at: 0, lines: ['once'], release: true }));
  expect(await run(() => store.read(named('given back')))).toMatchObject({ lines: ['once'], held: false });
});

test('a call that began as the connection was lost for longer is taken back: who began it was told that it did not', async () => {
  const wire = await behindWire();
  const store = open({ url: wire.url });
  await run(() => store.check());
  const begin = () => store.begin(newCall('unheard of'));
  wire.breakAt('parley_begin', 'until mended');
  expect(await problemOf(begin)).toContain('cannot be reached');
  expect(await run(() => open().read(named('unheard of')))).toMatchObject({ held: true });
  await wire.mend();
  expect(await again(begin)).toMatchObject({ name: named('unheard of') });
});

test('a call that was claimed as the connection was lost is given back: nobody waits for it to lapse', async () => {
  const wire = await behindWire();
  const store = open({ url: wire.url });
  const claim = await run(() => store.begin(newCall('claimed unheard')));
  await run(() => store.release(claim));
  const other = open();
  await run(() => other.check());
  wire.breakAt('parley_claim');
  expect(await problemOf(() => store.claim(named('claimed unheard')))).toContain('cannot be reached');
  expect(await run(() => other.claim(named('claimed unheard')))).toEqual({ type: 'held' });
  const isHeld = async () => (await run(() => other.read(named('claimed unheard'))))?.held;
  await expect.poll(isHeld, { timeout: 15_000 }).toBe(false);
  expect(await run(() => other.claim(named('claimed unheard')))).toMatchObject({ type: 'claimed' });
});

describe('an address that is wrong', () => {
  test('is told in words that help, and never with its password', async () => {
    const wrong = [
      [open({ url: postgres.at({ password: 'hunter2' }) }), 'refused this user'],
      [
        open({ url: postgres.at({ database: 'nowhere', password: postgres.password }) }),
        'the database does not exist',
      ],
      [open({ url: 'postgres://parley:hunter2@127.0.0.1:1/x' }), 'cannot be reached'],
    ] as const;
    for (const [store, says] of wrong) {
      const problem = await problemOf(() => store.check());
      expect(problem).toContain(says);
      expect(problem).not.toMatch(/hunter2|swordfish|parley:/);
    }
  });

  test('does not hold the password: one beside it counts, also one that is fetched', async () => {
    const url = postgres.url.replace(`:${postgres.password}`, '');
    await run(() => open({ url, password: postgres.password }).check());
    await run(() => open({ url, password: async () => postgres.password }).check());
    await refused(
      run(() => open({ url, password: 'wrong' }).check()),
      'STORE_UNAVAILABLE',
    );
  });
});
