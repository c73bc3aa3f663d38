import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { repoRoot } from '#test/harness/paths.ts';
import given from '#test/rings.json' with { type: 'json' };

interface Listed {
  readonly name: string;
  readonly file: string;
  readonly long: boolean;
}

type Cheaper = Readonly<Record<string, string | readonly string[]>>;

const rings: Cheaper = given;
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
    expect(wrongIn(rings, tests)).toEqual([]);
  });

  test('is wrong about a test that it does not name, and about names of no test', () => {
    const listed = [
      { name: 'a > is slow', file: 'a', long: true },
      { name: 'a > is slow, too', file: 'a', long: true },
      { name: 'b > is fast', file: 'b', long: false },
      { name: 'c > is slow', file: 'c', long: true },
    ];
    expect(wrongIn({ 'a > is slow': 'b > is fast', c: ['b > is fast'] }, listed)).toEqual([
      'a > is slow, too: test/rings.json does not say which test of the first ring fails for the same mistake',
    ]);
    expect(
      wrongIn({ a: ['b > is fast', 'a > is slow'], b: 'b > is fast', c: 'b > was fast' }, listed),
    ).toEqual([
      'a: no test of the first ring is "a > is slow"',
      'b: is, or has, no test of the second ring',
      'c: no test of the first ring is "b > was fast"',
    ]);
  });
});

/** What is wrong. A name is a test's or, for all tests of a file, the file's. */
function wrongIn(cheaper: Cheaper, listed: readonly Listed[]): string[] {
  const fast = new Set(listed.filter(({ long }) => !long).map(({ name }) => name));
  const slow = listed.filter(({ long }) => long);
  const known = new Set(slow.flatMap(({ name, file }) => [name, file]));
  const unnamed = slow
    .filter(({ name, file }) => cheaper[name] === undefined && cheaper[file] === undefined)
    .map(
      ({ name }) =>
        `${name}: test/rings.json does not say which test of the first ring fails for the same mistake`,
    );
  const wrong = Object.entries(cheaper).flatMap(([name, by]) =>
    known.has(name)
      ? [by]
          .flat()
          .filter((one) => !fast.has(one))
          .map((one) => `${name}: no test of the first ring is "${one}"`)
      : [`${name}: is, or has, no test of the second ring`],
  );
  return [...unnamed, ...wrong];
}
