import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { run } from 'effection';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSqliteStore } from '#src/stores/index.ts';
import { compileProgram } from '#test/harness/compile-program.ts';
import { LONG } from '#test/long.ts';
import { callName, goOn } from './dying-call.ts';

const key = randomBytes(32);
/** Ids are of the call, then of the step in it. */
const STEPS = ['step-1', 'step-2', 'step-3'].map((id) => `${callName.callId}/${id}`);
/** Before an entry is kept its step has done its work. After it nobody has been told yet, which is the simpler half. */
const WHEN = LONG ? (['before', 'after'] as const) : (['before'] as const);
let folder: string;
let program: string;

beforeAll(async () => {
  program = await compileProgram(join(import.meta.dirname, 'dying-call.ts'));
});
// Vitest ends its workers without their `exit`.
afterAll(() => rm(dirname(program), { recursive: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-dying-'));
});
afterEach(() => rm(folder, { recursive: true }));

const storeIn = (name: string) => createSqliteStore({ folder: join(folder, name), keys: [key] });
const logOf = (name: string) => join(folder, `${name}.log`);

async function effects(name: string): Promise<readonly string[]> {
  const text = await readFile(logOf(name), 'utf8').catch(() => '');
  return text.split('\n').filter(Boolean);
}

/** Runs the call in a process that kills itself; says whether it did. */
async function die(name: string, when: 'before' | 'after', n: number): Promise<boolean> {
  const args = [program, join(folder, name), key.toString('base64url'), logOf(name), when, String(n)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const [code, signal] = await once(child, 'exit');
  if (signal === null && code !== 0) throw new Error(`it ended with ${code}`);
  return signal === 'SIGKILL';
}

/** Goes on with the call here, to its end. Gives how often it appended. */
async function recover(name: string): Promise<number> {
  let appends = 0;
  const end = await run(() =>
    goOn(storeIn(name), logOf(name), {
      before: () => {
        appends += 1;
      },
      after: () => {},
    }),
  );
  expect(end).toMatchObject({ type: 'result', value: [1, '1.0', true] });
  return appends;
}

/** The steps whose outcome is kept. */
async function recorded(name: string): Promise<readonly string[]> {
  const kept = await run(() => storeIn(name).read(callName));
  const lines = (kept?.lines ?? []) as readonly { readonly t: string; readonly id: string }[];
  return lines.filter(({ t }) => t === 'stepped').map(({ id }) => `${callName.callId}/${id}`);
}

const countOf = (log: readonly string[], id: string) =>
  log.filter((line) => line.startsWith(`${id} `)).length;

describe('kill -9 of a call with steps', { timeout: 120_000 }, () => {
  test('at every entry of its journal: each step is done, those that were recorded once, with the same ids', async () => {
    const entries = await recover('whole');
    expect(entries).toBeGreaterThan(8);
    const cases = Array.from({ length: entries }, (_, i) => i + 1).flatMap((n) =>
      WHEN.map((when) => ({ n, when, name: `${when} ${n}` })),
    );
    for (const { name, when, n } of cases) {
      expect(`${name}: ${await die(name, when, n)}`).toBe(`${name}: true`);
      const done = await recorded(name);
      const then = await effects(name);
      await recover(name);
      const now = await effects(name);
      for (const id of STEPS) {
        const times = countOf(now, id);
        if (done.includes(id)) expect(`${name} ${id}: ${times}`).toBe(`${name} ${id}: 1`);
        // The one that was running is done again: it may have done its work before.
        else expect(times).toBe(countOf(then, id) + 1);
      }
      expect(now.length).toBeLessThanOrEqual(STEPS.length + 1);
      expect(new Set(now.map((line) => line.split(' ')[0]))).toEqual(new Set(STEPS));
    }
  });

  test('again and again: it comes to its end, and a step is done at most once more for each time that it was running', async () => {
    let deaths = 0;
    while (await die('often', 'after', 2)) {
      deaths += 1;
      expect(deaths).toBeLessThan(40);
    }
    const log = await effects('often');
    expect(new Set(log.map((line) => line.split(' ')[0]))).toEqual(new Set(STEPS));
    expect(log.length).toBeLessThanOrEqual(STEPS.length + deaths);
    expect(deaths).toBeGreaterThan(3);
    // An attempt is counted before it begins: no two have the same number.
    expect(new Set(log).size).toBe(log.length);
  });
});
