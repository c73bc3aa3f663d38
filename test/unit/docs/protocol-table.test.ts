import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What of the protocol is there: each row of the table names the test that shows it. */
const rows = readFileSync(join(root, 'docs/protocol.md'), 'utf8')
  .split('## What of the protocol is there')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.split('|').map((cell) => cell.trim())) as string[][];

/** The text of the test files that a row means: `http-2026` of `test/mcp`, or `unit/…` of `test`. */
function testsIn(place: string): string {
  const path = join(root, 'test', place.startsWith('unit/') ? place : join('mcp', place));
  const files = existsSync(path) ? readdirSync(path).map((name) => join(path, name)) : [`${path}.test.ts`];
  return files
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

describe('the table of the protocol', () => {
  it('has a row for everything that Parley does, or does not', () => {
    expect(rows.length).toBeGreaterThan(25);
  });

  it.each(rows)('%s%s: is shown by a test that there is', (_, _feature, early, late, shownBy = '') => {
    if (shownBy === '–') return expect([early, late]).toEqual(['no', 'no']);
    const [, place = '', title = ''] = /^`([\w/-]+) › ([^`]+)`$/.exec(shownBy) ?? [];
    expect(testsIn(place), shownBy).toContain(title);
  });
});
