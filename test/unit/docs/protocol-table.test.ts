import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const guide = readFileSync(join(root, 'docs/serving.md'), 'utf8');
const table = guide.split('### What of the protocol is there')[1]?.split('\n## ')[0] ?? '';
const named = [...table.matchAll(/\| `([\w/-]+) › ([^`]+)`/g)].map(([, file = '', words = '']) => ({
  file,
  words,
}));

describe('the table of protocol features', () => {
  it('names tests', () => {
    expect(named.length).toBeGreaterThan(20);
  });

  it.each(named)('shows a feature by a test that there is: $file › $words', ({ file, words }) => {
    const path = file.startsWith('unit/') ? `test/${file}` : `test/mcp/${file}`;
    expect(readFileSync(join(root, `${path}.test.ts`), 'utf8')).toContain(words);
  });
});
