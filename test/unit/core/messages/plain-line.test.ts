import { describe, expect, test } from 'vitest';
import { plainLine, withoutMarks } from '#src/core/messages/plain-line.ts';

describe('the first line of a text that may be Markdown', () => {
  test.each([
    ['Which **license** should `shop` get?', 'Which license should shop get?'],
    ['## A heading\n\nand more', 'A heading'],
    ['\n\n---\n\n> **Really?**', 'Really?'],
    ['- [ ] *one* thing', 'one thing'],
    ['See [the list](https://example.com/a_b_c).', 'See the list.'],
    ['![a map](data:image/png;base64,AA==) of it', 'a map of it'],
    ['```ts\nconst a = 1;\n```', 'const a = 1;'],
    ['これは**重要**です', 'これは重要です'],
    ['__Both__ ~~old~~ _new_.', 'Both old new.'],
    ['`a **b** c`', 'a **b** c'],
  ])('%j reads %j', (text, read) => {
    expect(plainLine(text)).toBe(read);
  });

  test.each([
    '*.ts,*.js',
    'src/**/a/**/b',
    '**/*.ts, **/*.js',
    'snake_case_name',
    '2 * 3 * 4',
    'a__b__c',
    '',
    '* * *',
  ])('what is no Markdown stays: %j', (text) => {
    expect(plainLine(text)).toBe(text);
  });

  test('is found in time, whatever the text is', () => {
    for (const piece of ['**a', '[', '![](', '`', '_ a', '__a ', '~~a', '\n', '> ']) {
      expect(plainLine(piece.repeat(200_000)).length).toBeLessThan(1_000_000);
    }
    expect(withoutMarks('**a **'.repeat(80))).toContain('a');
  });
});
