import { randomBytes } from 'node:crypto';
import { copyFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Operation, run } from 'effection';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { isParleyError } from '#src/core/errors/errors.ts';
import { createSqliteStore, type SqliteStore } from '#src/stores/index.ts';
import { named, newCall, refused } from '../contract/contract.ts';

const key = randomBytes(32);
const opened: SqliteStore[] = [];
let folder: string;
let problems: unknown[];
let store: SqliteStore;
const on = <T>(op: (store: SqliteStore) => Operation<T>) => run(() => op(store));
const lines = async (callId: string, from = store) => (await run(() => from.read(named(callId))))?.lines;

function open(keys: readonly Uint8Array[] = [key]): SqliteStore {
  const one = createSqliteStore({ folder, keys, onProblem: (error) => problems.push(error) });
  opened.push(one);
  return one;
}

async function close(): Promise<void> {
  for (const one of opened.splice(0)) await one.close();
}

async function keep(callId: string, to = store): Promise<void> {
  const claim = await run(() => to.begin(newCall(callId, { lines: [`${callId} 0`], notes: { callId } })));
  for (const at of [1, 2]) await run(() => to.append(claim, { at, lines: [`${callId} ${at}`] }));
  await run(() => to.appendEvents(claim, { events: [`${callId} event`] }));
  await run(() => to.leave(named(callId), { id: callId, digest: callId, body: callId }));
  await run(() => to.release(claim));
}

/** Changes the database behind the back of the store. */
function sql(text: string): void {
  const db = new DatabaseSync(join(folder, 'calls.db'));
  db.exec(text);
  db.close();
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  problems = [];
  store = open();
});
afterEach(async () => {
  await close();
  await rm(folder, { recursive: true });
});

describe('calls in SQLite', () => {
  test('are sealed: nothing of them can be read from the files, and nobody else may try', async () => {
    const secret = 'tell nobody';
    const name = named(secret, { principal: secret, conversation: secret });
    const claim = await on((s) => s.begin({ name, header: secret, lines: [secret], notes: { secret } }));
    await on((s) => s.appendEvents(claim, { events: [secret] }));
    await on((s) => s.leave(name, { id: secret, digest: secret, body: secret }));
    const files = await readdir(folder);
    expect(files.toSorted()).toEqual(['calls.db', 'calls.db-shm', 'calls.db-wal']);
    for (const file of files) {
      const text = await readFile(join(folder, file), 'latin1');
      for (const part of ['tell', 'nobody', 'secret']) expect(text).not.toContain(part);
      if (process.platform !== 'win32') expect((await stat(join(folder, file))).mode & 0o777).toBe(0o600);
    }
  });

  test('are in a folder of its own, which it makes for this user alone', async () => {
    const inside = createSqliteStore({ folder: join(folder, 'a', 'b'), keys: [key] });
    opened.push(inside);
    await run(() => inside.begin(newCall('a')));
    if (process.platform !== 'win32')
      for (const made of ['a', 'a/b']) expect((await stat(join(folder, made))).mode & 0o077).toBe(0);
  });

  test.each([
    [
      'changed',
      "update entries set body = cast(substr(body, 1, 20) || x'00' || substr(body, 22) as blob) where seq = 1 and call = A",
    ],
    ['taken out of the middle', 'delete from entries where seq = 1 and call = A'],
    ['taken off the end', 'delete from entries where seq = 2 and call = A'],
    [
      'of another call',
      'update entries set body = (select body from entries where seq = 1 and call <> A) where seq = 1 and call = A',
    ],
    [
      'in another place',
      'update entries set body = (select body from entries where seq = 2 and call = A) where seq = 1 and call = A',
    ],
    ['cut', 'update entries set body = substr(body, 1, 10) where seq = 1 and call = A'],
  ])('say so when an entry is %s, and harm no other', async (_, change) => {
    await keep('a');
    sql('create table first as select id from calls');
    await keep('b');
    sql(`pragma foreign_keys = off; ${change.replaceAll('A', '(select id from first)')}`);
    await refused(lines('a'), 'STORE_DAMAGED');
    await refused(
      on((s) => s.claim(named('a'))),
      'STORE_DAMAGED',
    );
    expect(await lines('b')).toEqual(['b 0', 'b 1', 'b 2']);
    expect(await on((s) => s.forget(named('a')))).toBe(true);
  });

  test.each([
    ['a header', 'update contents set head = zeroblob(50) where call = A'],
    ['notes', 'update contents set notes = (select notes from contents where call <> A) where call = A'],
    ['a salt', 'update calls set salt = zeroblob(16) where id = A'],
    ['a key', "update calls set key = 'unknown' where id = A"],
  ])('are passed over by lists, which say so, where %s cannot be opened', async (_, change) => {
    await keep('a');
    sql('create table first as select id from calls');
    await keep('b');
    sql(change.replaceAll('A', '(select id from first)'));
    expect((await on((s) => s.list())).map(({ name }) => name.callId)).toEqual(['b']);
    expect(problems).toHaveLength(1);
    expect(await on((s) => s.due())).toContainEqual({ name: named('b'), why: 'message' });
    expect(await lines('b')).toEqual(['b 0', 'b 1', 'b 2']);
  });

  test('do not open in another store, though its key is the same', async () => {
    await keep('a');
    await close();
    sql("update store set id = 'another'; create table old as select id from calls");
    store = open();
    // Its name has another digest there.
    expect(await lines('a')).toBeUndefined();
    expect(await on((s) => s.list())).toEqual([]);
    expect(problems).toMatchObject([{ code: 'STORE_DAMAGED' }]);
  });

  test('are opened by every key at hand, and sealed by the first', async () => {
    await keep('a');
    const next = randomBytes(32);
    const rotated = open([next, key]);
    expect(await lines('a', rotated)).toEqual(['a 0', 'a 1', 'a 2']);
    await keep('b', rotated);
    expect(await lines('b', rotated)).toEqual(['b 0', 'b 1', 'b 2']);
    await refused(lines('b'), 'STORE_KEY');
    expect(() => open([])).toThrow('at least one key');
    expect(() => open([randomBytes(16)])).toThrow('32 bytes');
  });

  test('property: what somebody has changed in the file is never taken for what was written', {
    timeout: 60_000,
  }, async () => {
    for (const callId of ['a', 'b']) await keep(callId);
    await close();
    const file = join(folder, 'calls.db');
    const whole = await readFile(file);
    const written = ['a', 'b'].map((callId) => [0, 1, 2].map((at) => `${callId} ${at}`));
    const change = fc.oneof(
      fc.record({ at: fc.nat(whole.length - 1), xor: fc.integer({ min: 1, max: 255 }) }),
      fc.record({ length: fc.nat(whole.length) }),
      fc.record({ at: fc.nat(whole.length - 1), noise: fc.uint8Array({ minLength: 1, maxLength: 5000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(change, async (one) => {
        const changed = Buffer.from('length' in one ? whole.subarray(0, one.length) : whole);
        if ('xor' in one) changed[one.at] = (whole[one.at] ?? 0) ^ one.xor;
        if ('noise' in one) changed.set(one.noise.subarray(0, whole.length - one.at), one.at);
        for (const left of ['-wal', '-shm']) await rm(file + left, { force: true });
        await writeFile(file, changed);
        const looking = open();
        for (const [at, callId] of ['a', 'b'].entries()) {
          const left = await lines(callId, looking).catch((error: unknown) => {
            if (!isParleyError(error)) throw error;
          });
          if (left) expect(left).toEqual(written[at]);
        }
        await run(() => looking.list()).catch((error: unknown) => {
          if (!isParleyError(error)) throw error;
        });
        await close();
      }),
      { numRuns: 150 },
    );
  });
});

describe('a folder that is not one of calls', () => {
  const says = async () => {
    await close();
    store = open();
    const { message } = await on((s) => s.check()).then(
      () => ({ message: '' }),
      (error: Error) => error,
    );
    return message;
  };

  test('is refused in words that say what to do', async () => {
    const file = join(folder, 'calls.db');
    await writeFile(join(folder, 'store.json'), '{"format":1,"id":"x"}');
    expect(await says()).toContain('it holds files of calls from an earlier version of Parley');
    await rm(join(folder, 'store.json'));

    await writeFile(file, 'not a database'.repeat(1000));
    expect(await says()).toContain(`${file}: it is no database. Move it away, or choose another folder.`);
    await rm(file);
    sql('create table other (id)');
    expect(await says()).toContain('it is a database of another program. Choose another folder.');
    expect(await readdir(folder)).toEqual(['calls.db']);
    await rm(file);

    expect(await says()).toBe('');
    await close();
    const whole = await readFile(file);
    sql('pragma user_version = 99');
    expect(await says()).toContain('was written in format 99, and this version of Parley reads 1');
    await writeFile(file, whole.subarray(0, 6000));
    expect(await says()).toContain('it is damaged. Restore a copy of it while nothing uses it');
    await copyFile(file, join(folder, 'file'));
    store = createSqliteStore({ folder: join(folder, 'file'), keys: [key] });
    await expect(on((s) => s.list())).rejects.toThrow('there is a file where a folder should be');
    await rm(join(folder, 'file'));
    expect(await on((s) => s.list())).toEqual([]);
    await store.close();
  });
});
