import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CallAbortedError } from 'parley-mcp';
import { checkReplay, createMockMcpClient, runMcpTool, stopCall } from 'parley-mcp/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { statementsOf } from '#examples/packs/migrate/.parley/tools/migrate/statements.ts';
import { migrate } from '#examples/packs/migrate/.parley/tools/migrate/tool.ts';
import { tempFolder } from '#test/temp-folder.ts';

let folder: string;
let params: { database: string; migrations: string };

beforeEach(() => {
  folder = tempFolder();
  mkdirSync(join(folder, 'migrations'));
  params = { database: join(folder, 'shop.db'), migrations: join(folder, 'migrations') };
  write('001_tea.sql', 'CREATE TABLE tea (id INTEGER PRIMARY KEY, name TEXT NOT NULL);');
  write(
    '002_stock.sql',
    'ALTER TABLE tea ADD COLUMN stock INTEGER NOT NULL DEFAULT 0;\nUPDATE tea SET stock = 1;',
  );
});

const write = (name: string, sql: string) => writeFileSync(join(folder, 'migrations', name), sql);
const accept = (content: object) => ({ action: 'accept' as const, content });

function query(sql: string): unknown[] {
  const database = new DatabaseSync(params.database);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => ({ ...row }));
  } finally {
    database.close();
  }
}

const person = (plan: unknown, keep: unknown = accept({ keep: 'keep' })) =>
  createMockMcpClient({ elicitResponses: { plan, keep } as never });
const asShown = (request: { context?: object }) =>
  accept({ script: Reflect.get(request.context ?? {}, 'script') });

describe('a migration', () => {
  it('is applied as it is shown, once, with a backup', async () => {
    const client = person(asShown);
    expect(await runMcpTool(migrate, params, client)).toMatchObject({
      status: 'applied',
      migrations: ['001_tea.sql', '002_stock.sql'],
    });
    expect(query('SELECT name FROM schema_migrations ORDER BY name')).toHaveLength(2);
    expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
      request: { message: expect.stringContaining('UPDATE tea: It has no WHERE: every row is changed.') },
    });
    expect(await runMcpTool(migrate, params, person(asShown))).toMatchObject({ status: 'up_to_date' });
  });

  it('is applied as it was edited', async () => {
    await runMcpTool(migrate, params, person(accept({ script: 'CREATE TABLE coffee (id INTEGER)' })));
    expect(query("SELECT name FROM sqlite_master WHERE name IN ('tea', 'coffee')")).toEqual([
      { name: 'coffee' },
    ]);
  });

  it('that fails is asked about again with what the database says, and changes nothing', async () => {
    write('003_bad.sql', 'INSERT INTO nowhere VALUES (1);');
    const client = person([asShown, { action: 'cancel' }]);
    expect(await runMcpTool(migrate, params, client)).toMatchObject({ status: 'not_applied' });
    expect(
      client.transcript.flatMap((line) => (line.type === 'elicit' ? [line.request.message] : [])),
    ).toEqual([
      expect.stringContaining('Statement 4 of 4 fails: no such table: nowhere'),
      expect.stringContaining('Nothing was changed: it was only tried.'),
    ]);
    expect(query('SELECT name FROM sqlite_master')).toEqual([]);
  });

  it('is taken back whole where the person does not want what came of it', async () => {
    write('003_drop.sql', 'CREATE TABLE cup (id INTEGER); INSERT INTO cup VALUES (1), (2);');
    await runMcpTool(migrate, params, person(asShown));
    write('004_drop.sql', 'DROP TABLE cup;');
    const client = person(asShown, accept({ keep: 'restore' }));
    expect(await runMcpTool(migrate, params, client)).toMatchObject({ status: 'restored' });
    expect(query('SELECT count(*) AS cups FROM cup')).toEqual([{ cups: 2 }]);
    expect(query("SELECT 1 FROM schema_migrations WHERE name = '004_drop.sql'")).toEqual([]);
  });

  it('that was changed after it was applied is refused', async () => {
    await runMcpTool(migrate, params, person(asShown));
    write('001_tea.sql', 'CREATE TABLE tea (id TEXT);');
    await expect(runMcpTool(migrate, params, person(asShown))).rejects.toThrow(
      '001_tea.sql was changed after',
    );
  });

  it('that breaks a reference is refused before anything is changed', async () => {
    write('003_ref.sql', 'CREATE TABLE bag (tea INTEGER REFERENCES tea (id)); INSERT INTO bag VALUES (9);');
    const client = person([asShown, { action: 'cancel' }]);
    await runMcpTool(migrate, params, client);
    expect(client.transcript.find(({ type }) => type === 'elicit')).toMatchObject({
      request: {
        message: expect.stringContaining('A row of bag would refer to a row of tea that is not there.'),
      },
    });
  });

  it('leaves the database as it is when the call is stopped at its plan', async () => {
    await expect(runMcpTool(migrate, params, person(stopCall()))).rejects.toThrow(CallAbortedError);
    expect(query('SELECT name FROM sqlite_master')).toEqual([]);
  });

  it('can be taken up after each line of its journal', async () => {
    const { result } = await checkReplay(migrate, params, person(asShown), {
      steps: {
        look: [{ migrations: [{ name: '001_tea.sql', statements: [] }], tables: [] }],
        try: [{ locks: [] }, { locks: [] }],
        'back up': ['shop.backup'],
        apply: [[{ table: 'tea', rows: 0 }]],
      },
    });
    expect(result).toMatchObject({ status: 'applied' });
  });
});

describe('a script is split', () => {
  it('at its semicolons, but not in texts, names, comments, bodies and triggers', () => {
    const script = `-- one; two
      INSERT INTO t VALUES ('a;b''; c', "d;e"); /* ; */ SELECT 1;
      CREATE TRIGGER g AFTER INSERT ON t BEGIN UPDATE t SET a = CASE WHEN 1 THEN 2 END; DELETE FROM u; END;
      CREATE FUNCTION f() RETURNS void AS $body$ BEGIN x; END $body$;`;
    expect(statementsOf(script).map(({ sql }) => sql.slice(0, 15))).toEqual([
      'INSERT INTO t V',
      'SELECT 1',
      'CREATE TRIGGER ',
      'CREATE FUNCTION',
    ]);
  });

  it.each([
    ['DROP TABLE "my tea"', 'my tea', /rows of the table are lost/],
    ['ALTER TABLE tea DROP COLUMN name', 'tea', /values of the column are lost/],
    ['ALTER TABLE tea ADD kind TEXT NOT NULL', 'tea', /NOT NULL without a DEFAULT/],
    ['CREATE UNIQUE INDEX i ON tea (name)', 'tea', /until the index is built/],
    ['DELETE FROM tea', 'tea', /every row is deleted/],
    ['DELETE FROM tea WHERE id = 1', 'tea', undefined],
  ])('%s is said to be what it is', (sql, table, risk) => {
    const [statement] = statementsOf(sql);
    expect(statement?.table).toBe(table);
    const said = `${statement?.risk ?? ''}${statement?.locks ?? ''}`;
    expect(said).toMatch(risk ?? /^$/);
  });
});
