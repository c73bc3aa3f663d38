import { randomBytes } from 'node:crypto';
import {
  appendFile,
  copyFile,
  glob,
  mkdir,
  mkdtemp,
  readFile,
  rm,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Operation, run } from 'effection';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CallName, CallStore } from '#src/stores/index.ts';
import { createFilesStore } from '#src/stores/index.ts';
import { named, newCall, refused } from '../contract/contract.ts';

const key = randomBytes(32);
let folder: string;
let store: CallStore;
const on = <T>(op: (store: CallStore) => Operation<T>) => run(() => op(store));
const lines = async (name: CallName = named('a'), from = store) => (await run(() => from.read(name)))?.lines;

async function files(pattern: string, within = folder): Promise<string[]> {
  const found: string[] = [];
  for await (const file of glob(pattern, { cwd: within })) found.push(join(within, file));
  return found;
}

async function keep(callId: string, values: readonly string[], to = store): Promise<string> {
  const before = await files('calls/*/*.journal');
  const claim = await run(() => to.begin(newCall(callId)));
  for (const [at, value] of values.entries()) await run(() => to.append(claim, { at, lines: [value] }));
  await run(() => to.release(claim));
  const [file] = (await files('calls/*/*.journal')).filter((one) => !before.includes(one));
  return file ?? '';
}

test('files that other programs leave in its folders are passed over', async () => {
  await keep('a', ['one']);
  const [journal = ''] = await files('calls/*/*.journal');
  for (const left of ['.', 'calls', 'marks', dirname(journal)])
    await writeFile(resolve(folder, left, '.DS_Store'), 'x');
  await mkdir(join(folder, 'calls', '@eaDir'));
  const again = createFilesStore({ folder, keys: [key] });
  expect((await run(() => again.list())).map(({ name }) => name.callId)).toEqual(['a']);
  await keep('b', ['two'], again);
  expect(await lines(named('b'), again)).toEqual(['two']);
  expect(await run(() => again.due())).toEqual([]);
});

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-calls-'));
  store = createFilesStore({ folder, keys: [key] });
});
afterEach(() => rm(folder, { recursive: true }));

describe('what is in the files', () => {
  test('nothing of a call can be read from them, nor from their names, and nobody else may try', async () => {
    const secret = 'tell nobody';
    const claim = await on((s) =>
      s.begin({
        name: named(secret, { principal: secret }),
        header: secret,
        lines: [secret],
        notes: { secret },
      }),
    );
    await on((s) => s.appendEvents(claim, { events: [secret] }));
    const all = (await files('**/*')).filter((file) => /\.\w+$/.test(file));
    expect(all.length).toBeGreaterThan(3);
    for (const file of all) {
      const text = await readFile(file, 'latin1');
      for (const part of ['tell', 'nobody', 'secret']) expect(`${file} ${text}`).not.toContain(part);
      if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
    }
    for (const inside of ['calls', 'marks']) expect((await stat(join(folder, inside))).mode & 0o077).toBe(0);
  });

  test('a line that a crash has cut was never there; what was acknowledged before it is', async () => {
    const file = await keep('a', ['1', '2']);
    const whole = await readFile(file);
    for (const torn of ['9', '9 120', '9 120 abc', '\u0000\u0000\u0000']) {
      await writeFile(file, whole);
      await appendFile(file, `\n${torn}`);
      expect(await lines()).toEqual(['1', '2']);
      const outcome = await on((s) => s.claim(named('a')));
      if (outcome.type !== 'claimed') throw new Error(outcome.type);
      await on((s) => s.append(outcome.claim, { at: 2, lines: ['3'] }));
      await on((s) => s.release(outcome.claim));
      expect(await lines()).toEqual(['1', '2', '3']);
    }
  });

  test('property: cut anywhere, a file is a call up to there', async () => {
    const values = Array.from({ length: 8 }, (_, i) => `${i}`);
    const file = await keep('a', values);
    const whole = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length), async (length) => {
        await writeFile(file, whole);
        await truncate(file, length);
        const left = await lines();
        expect(left ?? []).toEqual(values.slice(0, left?.length ?? 0));
      }),
      { numRuns: 60 },
    );
  });

  test('property: what somebody has changed is never taken for what was written', async () => {
    const values = Array.from({ length: 6 }, (_, i) => `${i}`);
    const file = await keep('a', values);
    const whole = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const changed = Buffer.from(whole);
        changed[at] = (whole[at] ?? 0) ^ change;
        await writeFile(file, changed);
        const left = await lines().catch(() => undefined);
        // Whole, or refused, or ended early: an end that is cut off cannot be told from a crash before it.
        expect(left ?? []).toEqual(values.slice(0, left?.length ?? 0));
      }),
      { numRuns: 150 },
    );
  });

  test('a line that was changed, taken out, doubled or moved is found, where others follow', async () => {
    const file = await keep('a', ['1', '2', '3', '4']);
    const text = await readFile(file, 'latin1');
    const [head = '', ...rest] = text.split('\n').filter((line) => line !== '');
    const write = (all: readonly string[]) => writeFile(file, `${[head, ...all].join('\n')}\n`);
    const [begin = '', one = '', two = '', three = ''] = rest;
    const flipped = `${two.slice(0, -1)}${two.endsWith('A') ? 'B' : 'A'}`;

    for (const all of [
      [begin, one, flipped, ...rest.slice(3)],
      [begin, one, ...rest.slice(3)],
      [begin, two, one, ...rest.slice(3)],
      [one, ...rest.slice(2)],
      [begin, one, two.replace(/^\d+/, '3'), ...rest.slice(3)],
    ]) {
      await write(all);
      await refused(
        on((s) => s.read(named('a'))),
        'STORE_DAMAGED',
      );
    }
    // What was there before, again: it counts once.
    await write([begin, one, one, two, three, two, ...rest.slice(4)]);
    expect(await lines()).toEqual(['1', '2', '3', '4']);
  });

  test('lines and files of another call or another store do not open', async () => {
    const mine = await keep('a', ['mine']);
    const other = await keep('b', ['other']);
    const [head, ...own] = (await readFile(mine, 'latin1')).split('\n').filter(Boolean);
    const foreign = (await readFile(other, 'latin1')).split('\n').filter(Boolean);
    await writeFile(mine, `${[head, own[0], ...foreign.slice(2)].join('\n')}\n`);
    await refused(
      on((s) => s.read(named('a'))),
      'STORE_DAMAGED',
    );
    await copyFile(other, mine);
    await refused(
      on((s) => s.read(named('a'))),
      'STORE_DAMAGED',
    );

    const elsewhere = await mkdtemp(join(tmpdir(), 'parley-calls-'));
    const second = createFilesStore({ folder: elsewhere, keys: [key] });
    await run(() => second.begin(newCall('b')));
    const [target = ''] = await files('calls/*/*.journal', elsewhere);
    await copyFile(other, target);
    await refused(
      run(() => second.read(named('b'))),
      'STORE_DAMAGED',
    );
    await rm(elsewhere, { recursive: true });
  });

  test('a list passes over what cannot be read, says so, and shows the others', async () => {
    const file = await keep('a', ['1', '2']);
    await keep('b', []);
    await writeFile(file, 'parley-log 2 whatever\n');
    const problems: unknown[] = [];
    const told = createFilesStore({ folder, keys: [key], onProblem: (error) => problems.push(error) });
    expect((await run(() => told.list())).map(({ name }) => name.callId)).toEqual(['b']);
    expect(problems).toHaveLength(1);
    await refused(
      on((s) => s.read(named('a'))),
      'STORE_VERSION',
    );
  });

  test('who looks for what has not ended need not read what has: it may be much', async () => {
    const ended = await run(() => store.begin(newCall('ended')));
    await run(() => store.append(ended, { at: 0, ended: true, release: true }));
    for (const file of await files('calls/*/*.journal')) await writeFile(file, 'not read\n');
    await keep('waits', ['one']);
    const problems: unknown[] = [];
    const looking = createFilesStore({ folder, keys: [key], onProblem: (error) => problems.push(error) });
    const found = await run(() => looking.list({ ended: false, likely: true }));
    expect(found.map(({ name }) => name.callId)).toEqual(['waits']);
    expect(problems).toEqual([]);
    await run(() => looking.list({ ended: false }));
    expect(problems).toHaveLength(1);
  });

  test('a key can be changed: the new one seals, the old one still opens, a foreign one does not', async () => {
    await keep('a', ['old']);
    const next = randomBytes(32);
    const rotated = createFilesStore({ folder, keys: [next, key] });
    expect(await lines(named('a'), rotated)).toEqual(['old']);
    const outcome = await run(() => rotated.claim(named('a')));
    if (outcome.type !== 'claimed') throw new Error(outcome.type);
    await run(() => rotated.append(outcome.claim, { at: 1, lines: ['on'] }));
    await keep('b', ['new'], rotated);

    expect(await lines(named('a'))).toEqual(['old', 'on']);
    await refused(
      on((s) => s.read(named('b'))),
      'STORE_KEY',
    );
    expect(() => createFilesStore({ folder, keys: [] })).toThrow('at least one key');
    expect(() => createFilesStore({ folder, keys: [randomBytes(16)] })).toThrow('32 bytes');
  });

  test('a folder of a later version is not touched, and a file in place of the folder is named', async () => {
    await keep('a', []);
    await writeFile(join(folder, 'store.json'), '{"format":9,"id":"x"}');
    const later = createFilesStore({ folder, keys: [key] });
    await refused(
      run(() => later.list()),
      'STORE_VERSION',
    );
    await writeFile(join(folder, 'store.json'), '{"form');
    await refused(
      run(() => later.list()),
      'STORE_DAMAGED',
    );

    await writeFile(join(folder, 'file'), '');
    const inFile = createFilesStore({ folder: join(folder, 'file'), keys: [key] });
    await refused(
      run(() => inFile.list()),
      'STORE_UNAVAILABLE',
    );
    await rm(join(folder, 'file'));
    expect(await run(() => inFile.list())).toEqual([]);
  });
});
