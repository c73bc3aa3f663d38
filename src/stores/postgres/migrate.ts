import { randomUUID } from 'node:crypto';
import type { ClientBase } from 'pg';
import { StoreKeyError, StoreVersionError } from '../../core/errors/store-errors.ts';
import type { KeyRing } from '../../node/key-ring.ts';
import { FIRST, migrations, VERSION } from './schema.ts';

/** Only one process changes the tables at a time: the number of its lock, which means nothing else. */
const LOCK = '7310608114211046241';

interface Store {
  readonly id: string;
  readonly version: number;
  readonly oldest: number;
}

/**
 * Makes the tables what this Parley needs, and gives the id of the store. What is there already is only read, so that a user who may
 * not make tables can use those of another.
 *
 * @throws `StoreVersionError` for tables that this Parley must not write, `StoreKeyError` when no key fits what is there
 */
export async function migrate(
  client: ClientBase,
  schema: string,
  ring: KeyRing,
  where: string,
): Promise<string> {
  const known = await storeIn(client, schema);
  const store = known?.version === VERSION ? known : await change(client, schema, where);
  if (store.oldest > VERSION) {
    throw new StoreVersionError({ where, found: String(store.version), known: String(VERSION) });
  }
  await enterKey(client, schema, ring, where);
  return store.id;
}

async function change(client: ClientBase, schema: string, where: string): Promise<Store> {
  return await inTransaction(client, async () => {
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    const found = await storeIn(client, schema);
    // A newer Parley was here: whether this one may go on is for the caller to say.
    if (found && found.version >= VERSION) return found;
    if (found && found.version < FIRST)
      throw new StoreVersionError({ where, found: String(found.version), known: String(VERSION) });
    if (!found) await client.query(`create schema if not exists ${schema}`);
    for (const step of migrations(schema).slice(found ? found.version - FIRST + 1 : 0))
      await client.query(step);
    if (found) {
      await client.query(`update ${schema}.store set version = $1`, [VERSION]);
    } else {
      const values = [randomUUID(), VERSION];
      await client.query(`insert into ${schema}.store (id, version, oldest) values ($1, $2, $2)`, values);
    }
    return (await storeIn(client, schema)) ?? { id: '', version: VERSION, oldest: VERSION };
  });
}

async function storeIn(client: ClientBase, schema: string): Promise<Store | undefined> {
  // Not by to_regclass, which remembers that there was none.
  const there = await client.query(
    `select from pg_catalog.pg_tables where '"' || schemaname || '"' = $1 and tablename = 'store'`,
    [schema],
  );
  if (there.rowCount === 0) return undefined;
  const { rows } = await client.query<Store>(`select id, version, oldest from ${schema}.store`);
  return rows[0];
}

/** Servers with keys of their own would write what the others cannot read. */
async function enterKey(client: ClientBase, schema: string, ring: KeyRing, where: string): Promise<void> {
  const knows = async () => {
    const { rows } = await client.query<{ id: string }>(`select id from ${schema}.keys`);
    return rows.map(({ id }) => id);
  };
  if ((await knows()).includes(ring.current)) return;
  await inTransaction(client, async () => {
    await client.query(`select pg_advisory_xact_lock(${LOCK})`);
    const ids = await knows();
    const opens = (id: string) => ring.derive(id, new Uint8Array(), 'parley') !== undefined;
    if (ids.length > 0 && !ids.some(opens)) throw new StoreKeyError({ where });
    await client.query(`insert into ${schema}.keys (id) values ($1) on conflict do nothing`, [ring.current]);
  });
}

async function inTransaction<T>(client: ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const value = await work();
    await client.query('commit');
    return value;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
