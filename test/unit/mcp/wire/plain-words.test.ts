import { describe, expect, it } from 'vitest';
import { plainWords } from '#src/mcp/wire/plain-words.ts';

describe('Markdown in plain words', () => {
  it.each([
    ['Delete **all** of _it_?', 'Delete all of it?'],
    ['***Now*** and __then__, ~~never~~', 'Now and then, never'],
    ['### Plan', 'Plan'],
    ['See [the docs](https://example.com/a "Docs").', 'See the docs (https://example.com/a).'],
    ['![A cat](cat.png) at <https://example.com>', 'A cat (cat.png) at https://example.com'],
    ['Run `rm -rf *_x_*` or ``a`b``?', "Run 'rm -rf *_x_*' or ``a`b``?"],
    [String.raw`\*not\* emphasis`, '*not* emphasis'],
    ['```ts\n# **as** it is\n```\nafter *it*', '# **as** it is\nafter it'],
    ['~~~\n```\n~~~', '```'],
  ])('says %j as %j', (markdown, words) => {
    expect(plainWords(markdown)).toBe(words);
  });

  it.each([
    'snake_case_name and 2 * 3 * 4',
    '*.ts and *.js, a*b*c',
    '- one\n- two\n\n> said\n\n| a | b |\n| - | - |',
    'a # b, #1, [x], (y), 5 < 6',
    '--x-model-context: application/json\n{"a":1}',
  ])('leaves %j as it is', (text) => {
    expect(plainWords(text)).toBe(text);
  });

  it.each(['`', '*', '_', '[', '# ', '~', '**a ', '](', '<http:', '\\', '```\n', '`a'])(
    'takes a megabyte of %j in no more than a look at each letter',
    (piece) => {
      const text = piece.repeat(2 ** 20 / piece.length);
      expect(plainWords(text).length).toBeLessThanOrEqual(text.length * 2);
    },
  );
});
