import { randomBytes } from 'node:crypto';
import { run } from 'effection';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresStore, type PostgresStore } from '#src/stores/postgres/index.ts';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { named, newCall, refused } from '../contract/contract.ts';
import { query } from './query.ts';

const keys = [randomBytes(32), randomBytes(32), randomBytes(32)] as const;
const stores: PostgresStore[] = [];
const problems: unknown[] = [];
let postgres: Postgres;
let schema: string;
let count = 0;

beforeAll(async () => {
  postgres = await startPostgres();
});
beforeEach(() => {
  schema = `sealed_${count++}`;
});
afterEach(async () => {
  for (const one of stores.splice(0)) await one.close();
  problems.length = 0;
});
afterAll(() => postgres.close());

function open(...ring: readonly Uint8Array[]): PostgresStore {
  const onProblem = (error: unknown) => problems.push(error);
  const store = createPostgresStore({ url: postgres.url, schema, keys: ring, onProblem });
  stores.push(store);
  return store;
}

async function keep(store: PostgresStore, callId: string): Promise<void> {
  const claim = await run(() => store.begin(newCall(callId, { lines: [`${callId} 0`] })));
  for (const at of [1, 2]) await run(() => store.append(claim, { at, lines: [`${callId} ${at}`] }));
  await run(() => store.appendEvents(claim, { events: [`${callId} event`] }));
  await run(() => store.release(claim));
}

const lines = async (store: PostgresStore, callId: string) =>
  (await run(() => store.read(named(callId))))?.lines;
const sql = (text: string) => query(postgres.url, text.replaceAll('S.', `${schema}.`));

describe('calls in PostgreSQL', () => {
  test('are sealed: nothing of them is in the clear', async () => {
    const store = open(keys[0]);
    const claim = await run(() =>
      store.begin(
        newCall('visible-call', {
          name: named('visible-call', { principal: 'visible-ann', conversation: 'visible-chat' }),
          header: 'visible-header',
          lines: ['visible-line'],
          notes: { visible: 'visible-note' },
        }),
      ),
    );
    await run(() => store.appendEvents(claim, { events: ['visible-event'] }));
    await run(() =>
      store.leave(claim.name, { id: 'visible-id', digest: 'visible-digest', body: 'visible-body' }),
    );
    for (const table of ['calls', 'entries', 'events', 'inbox', 'store', 'keys', 'overview']) {
      for (const { text } of await sql(`select t::text as text from S.${table} t`)) {
        expect(text).not.toContain('visible');
        expect(text).not.toContain(Buffer.from('visible').toString('hex'));
      }
    }
  });

  test('are opened by every key at hand, and sealed by the first', async () => {
    await keep(open(keys[0]), 'a');
    const both = open(keys[1], keys[0]);
    expect(await lines(both, 'a')).toEqual(['a 0', 'a 1', 'a 2']);
    await keep(both, 'b');
    const later = open(keys[1]);
    expect(await lines(later, 'b')).toEqual(['b 0', 'b 1', 'b 2']);
    await refused(lines(later, 'a'), 'STORE_KEY');
  });

  test('are not written by a server whose keys are all others', async () => {
    await keep(open(keys[0]), 'a');
    await refused(
      run(() => open(keys[2]).begin(newCall('b'))),
      'STORE_KEY',
    );
  });

  test.each([
    [
      'changed',
      'update S.entries set body = set_byte(body, 20, get_byte(body, 20) # 1) where seq = 1 and call = $a',
    ],
    ['taken out of the middle', 'delete from S.entries where seq = 1 and call = $a'],
    ['taken off the end', 'delete from S.entries where seq = 2 and call = $a'],
    [
      'of another call',
      'update S.entries set body = (select body from S.entries where seq = 1 and call <> $a) where seq = 1 and call = $a',
    ],
    [
      'in another place',
      'update S.entries set body = (select body from S.entries where seq = 2 and call = $a) where seq = 1 and call = $a',
    ],
    ['cut', 'update S.entries set body = substr(body, 1, 10) where seq = 1 and call = $a'],
  ])('say so when an entry is %s, and harm no other', async (_, change) => {
    const store = open(keys[0]);
    await keep(store, 'a');
    const [row] = await sql('select encode(id, $$hex$$) as id from S.calls');
    await keep(store, 'b');
    await sql(change.replaceAll('$a', `'\\x${row?.id}'::bytea`));
    await refused(lines(store, 'a'), 'STORE_DAMAGED');
    expect(await lines(store, 'b')).toEqual(['b 0', 'b 1', 'b 2']);
    expect(await run(() => store.forget(named('a')))).toBe(true);
  });

  test.each([
    ['notes', 'update S.calls set notes = head where id = $a'],
    ['a salt', "update S.calls set salt = decode(repeat('00', 16), 'hex') where id = $a"],
  ])('are passed over by lists, which say so, where %s cannot be opened', async (_, change) => {
    const store = open(keys[0]);
    await keep(store, 'a');
    const [row] = await sql('select encode(id, $$hex$$) as id from S.calls');
    await keep(store, 'b');
    await sql(change.replaceAll('$a', `'\\x${row?.id}'::bytea`));
    expect((await run(() => store.list())).map(({ name }) => name.callId)).toEqual(['b']);
    expect(problems).toHaveLength(1);
    await refused(lines(store, 'a'), 'STORE_DAMAGED');
  });
});
