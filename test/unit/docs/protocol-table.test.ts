import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** Which parts of the protocol are there: each row of the table names the test that shows it. */
const rows = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  .split('## Which parts of the protocol are there')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim())) as string[][];

/** The first text of `describe(`, `it(` and `test(`, also behind the `.each(…)` of one. */
const NAMES = /(?:\b(?:describe|it|test)(?:\.\w+)*|[)\]`])\(\s*(['"`])((?:(?!\1).)+)\1/g;

/** What the tests of a source are called. */
const namesIn = (source: string): string[] => [...source.matchAll(NAMES)].map(([, , name = '']) => name);

/** The names in the test files that a row means: `http-2026` of `test/mcp`, or `unit/…` of `test`. */
function testsIn(place: string): string[] {
  const path = join(root, 'test', place.startsWith('unit/') ? place : join('mcp', place));
  const files = existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [`${path}.test.ts`];
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => namesIn(readFileSync(file, 'utf8')));
}

it('finds the names of tests, and takes nothing else for one', () => {
  const source = `// it: shows a comment
    describe.each([['a', f(1)]] as const)('in %s', () => {
      it('does it', () => expect(text).toContain('said in a test'));
      test.each(rows)(\n'each row', () => {});
    });`;
  expect(namesIn(source)).toEqual(['in %s', 'does it', 'each row']);
});

describe('the table of the protocol', () => {
  it('has a row for everything that Parley does, or does not', () => {
    expect(rows.length).toBeGreaterThan(25);
  });

  it.each(rows)('%s%s: is shown by a test that there is', (_, _feature, early, late, shownBy = '') => {
    if (shownBy === '–') return expect([early, late]).toEqual(['no', 'no']);
    const [, place = '', title = ''] = /^`([\w/-]+) › ([^`]+)`$/.exec(shownBy) ?? [];
    expect(testsIn(place), shownBy).toContainEqual(expect.stringContaining(title));
  });
});
