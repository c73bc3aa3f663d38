import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { repoRoot } from '#test/harness/paths.ts';
import given from '#test/rings.json' with { type: 'json' };

interface Listed {
  readonly name: string;
  /** In the second ring. */
  readonly long: boolean;
  /** In a file that leaves rows of tests to the second ring. */
  readonly rows: boolean;
}

type Cheaper = Readonly<Record<string, string | readonly string[]>>;

let tests: readonly Listed[];

beforeAll(async () => {
  const script = join(repoRoot, 'test/harness/list-tests.ts');
  const { NODE_OPTIONS: _, VITEST: __, ...env } = process.env;
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env, maxBuffer: 2 ** 26 });
  tests = JSON.parse(stdout);
});

describe('test/rings.json', () => {
  test('names a test of the first ring for each of the second', () => {
    expect(tests.length).toBeGreaterThan(2_000);
    expect(wrongIn(given, tests)).toEqual([]);
  });

  test('is wrong about a test that it does not name, and about names of no test', () => {
    const listed = [
      { name: 'a > is slow', long: true, rows: false },
      { name: 'a > is slow, too', long: true, rows: false },
      { name: 'b > is fast', long: false, rows: false },
      { name: 'c > in %s > is slow', long: false, rows: true },
    ];
    expect(wrongIn({ 'a > is slow': 'b > is fast', 'c > in %s': ['b > is fast'] }, listed)).toEqual([
      'a > is slow, too: which test of the first ring fails for the same mistake?',
    ]);
    expect(wrongIn({ a: ['b > is fast', 'a > is slow'], b: 'b > is fast' }, listed)).toEqual([
      'c leaves rows out: which test of the first ring fails for the same mistake?',
      'a: no test of the first ring is "a > is slow"',
      'b: no test of the second ring is it, or in it',
    ]);
  });
});

/** What is wrong. On the left is a test, or a suite or file for all of its tests. */
function wrongIn(cheaper: Cheaper, listed: readonly Listed[]): string[] {
  const first = new Set(listed.filter(({ long }) => !long).map(({ name }) => name));
  const keys = Object.keys(cheaper);
  const isIn = (name: string, key: string) => name === key || name.startsWith(`${key} > `);
  const fileOf = (name: string) => name.split(' > ', 1)[0] ?? name;
  const files = new Set(listed.filter(({ rows }) => rows).map(({ name }) => fileOf(name)));
  const unnamed = [
    ...listed
      .filter(({ name, long }) => long && !keys.some((key) => isIn(name, key)))
      .map(({ name }) => name),
    ...[...files]
      .filter((file) => !keys.some((key) => isIn(key, file)))
      .map((file) => `${file} leaves rows out`),
  ];
  const wrong = Object.entries(cheaper).flatMap(([key, by]) =>
    listed.some(({ name, long, rows }) => (long || rows) && isIn(name, key))
      ? [by]
          .flat()
          .filter((one) => !first.has(one))
          .map((one) => `${key}: no test of the first ring is "${one}"`)
      : [`${key}: no test of the second ring is it, or in it`],
  );
  return [
    ...unnamed.map((name) => `${name}: which test of the first ring fails for the same mistake?`),
    ...wrong,
  ];
}
