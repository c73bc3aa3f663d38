import { describe, expect, test } from 'vitest';
import { codeLines, inUse, overLimit, table, words } from '#build/size-of.ts';

describe('the code of a file', () => {
  test('is its lines without blank ones and comments', () => {
    const text = `// of one line
/**
 * of several
 */
const a = 1; // behind code

/* before */ const b = \`
// within a text
\`;
const c = /[/*]/;
`;
    expect(codeLines('a.ts', text)).toBe(5);
  });

  test('is that of a component, of a style and of a script', () => {
    expect(codeLines('a.tsx', 'const a = <p>{/* none */}\n  // a text\n</p>;\n')).toBe(3);
    expect(codeLines('a.css', '/* none\n */\n.a {\n\n  color: red; /* none */\n}\n')).toBe(3);
    expect(codeLines('a.cjs', '// none\nmodule.exports = 1;\n')).toBe(1);
  });

  test('is nothing where it has none', () => {
    expect(codeLines('a.md', 'text\n')).toBe(0);
    expect(codeLines('a.json', '{}\n')).toBe(0);
  });
});

test('the words of a page are what blanks part', () => {
  expect(words('a.md', '# A page\n\nof `some words`.\n')).toBe(6);
  expect(words('a.svg', 'none')).toBe(0);
});

test('a word is in use where any file has it, however often', () => {
  expect(inUse(['[Pp]arked', 'Aside', '\\bunload\\b'], ['class ParkedCall', 'the parked', 'unloaded'])).toBe(
    1,
  );
});

test('a row is over its limit when it is more, and the table says what may be', () => {
  const row = { name: 'src, code', now: 10, limit: 10, end: 8 };
  expect(overLimit(row)).toBe(false);
  expect(overLimit({ ...row, now: 11 })).toBe(true);
  expect(table([row])).toBe('row        now  limit  end\nsrc, code   10     10    8');
});
