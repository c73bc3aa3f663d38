import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMockMcpClient, runMcpTool } from 'parley-mcp/testing';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { migrate } from '#examples/packs/migrate/.parley/tools/migrate/tool.ts';
import { type Postgres, startPostgres } from '#test/harness/postgres/postgres.ts';
import { tempFolder } from '#test/temp-folder.ts';

let server: Postgres;
let client: pg.Client;
let migrations: string;
let database: string;
let count = 0;

beforeAll(async () => {
  server = await startPostgres();
}, 120_000);
afterAll(() => server?.close());

beforeEach(async () => {
  migrations = tempFolder();
  const admin = new pg.Client(server.url);
  await admin.connect();
  await admin.query(`CREATE DATABASE shop${++count}`);
  await admin.end();
  client = new pg.Client(server.at({ database: `shop${count}` }));
  await client.connect();
  await client.query("CREATE TABLE tea (id int PRIMARY KEY, name text); INSERT INTO tea VALUES (1, 'Assam')");
  database = server.at({ database: `shop${count}` }).replace(`:${server.password}@`, '@');
  vi.stubEnv('PGPASSWORD', server.password);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await client.end();
});

const write = (name: string, sql: string) => writeFileSync(join(migrations, name), sql);
const accept = (content: object) => ({ action: 'accept' as const, content });
const asShown = (request: { context?: object }) =>
  accept({ script: Reflect.get(request.context ?? {}, 'script') });
const person = (...plan: unknown[]) => createMockMcpClient({ elicitResponses: { plan } as never });
const columns = async (table: string) =>
  (await client.query('SELECT column_name FROM information_schema.columns WHERE table_name = $1', [table]))
    .rows.length;

describe('a migration of PostgreSQL', () => {
  it('shows what each statement really locks, and is applied once', async () => {
    write(
      '001_stock.sql',
      `ALTER TABLE tea ADD COLUMN stock int NOT NULL DEFAULT 0;
       CREATE TABLE cup (id int);
       CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN DELETE FROM tea; END $$;
       UPDATE tea SET stock = 1 WHERE id = 1;`,
    );
    write('002_index.sql', 'CREATE TABLE bag (id int); CREATE INDEX ON tea (name);');
    const asked = person(asShown);
    expect(await runMcpTool(migrate, { database, migrations }, asked)).toMatchObject({ status: 'applied' });
    const [request] = asked.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request] : []));
    const shown = Reflect.get(request?.context ?? {}, 'migrations') as { statements: { locks?: string }[] }[];
    expect(shown.map(({ statements }) => statements.map(({ locks }) => locks))).toEqual([
      ['Nobody reads or writes tea until all is applied.', undefined, undefined, undefined],
      [undefined, undefined],
    ]);
    expect(request?.context).toMatchObject({ tables: [{ table: 'tea', rows: 0 }] });
    expect(await columns('tea')).toBe(3);
    expect(await runMcpTool(migrate, { database, migrations }, person())).toMatchObject({
      status: 'up_to_date',
    });
  });

  it('that fails in the middle leaves nothing behind, and is asked about again', async () => {
    write(
      '001_cup.sql',
      'CREATE TABLE cup (id int); INSERT INTO cup VALUES (1); INSERT INTO nowhere VALUES (1);',
    );
    const asked = person(asShown, accept({ script: 'CREATE TABLE cup (id int); DROP TABLE none;' }), {
      action: 'cancel',
    });
    expect(await runMcpTool(migrate, { database, migrations }, asked)).toMatchObject({
      status: 'not_applied',
    });
    expect(
      asked.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request.message] : [])),
    ).toEqual([
      expect.stringContaining('Statement 3 of 3 fails: relation "nowhere" does not exist'),
      expect.stringContaining('Statement 3 of 3 fails'),
      expect.stringContaining('Statement 2 of 2 fails: table "none" does not exist'),
    ]);
    expect(await columns('cup')).toBe(0);
  });

  it('that breaks a reference only at its end, or waits for a lock of others, changes nothing', async () => {
    write(
      '001_bag.sql',
      'CREATE TABLE bag (tea int REFERENCES tea DEFERRABLE INITIALLY DEFERRED); INSERT INTO bag VALUES (9);',
    );
    const asked = person({ action: 'cancel' }, { action: 'cancel' });
    await runMcpTool(migrate, { database, migrations }, asked);
    await client.query('BEGIN; LOCK TABLE tea');
    await runMcpTool(migrate, { database, migrations }, asked);
    await client.query('ROLLBACK');
    expect(
      asked.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request.message] : [])),
    ).toEqual([
      expect.stringContaining('violates foreign key constraint'),
      expect.stringContaining('Statement 1 of 2 fails: canceling statement due to lock timeout'),
    ]);
    expect(await columns('bag')).toBe(0);
  });

  it('refuses a password in the address, which would be kept with the call', async () => {
    write('001_bag.sql', 'CREATE TABLE bag (id int);');
    const running = runMcpTool(migrate, { database: server.url, migrations }, person());
    const failure = await running.then(String, String);
    expect(failure).toContain('put it into PGPASSWORD');
    expect(failure).not.toContain(server.password);
  });
});
