import { describe, expect, it } from 'vitest';
import { resultText } from '#src/panel-port/index.ts';

describe('a result as text', () => {
  const rows = [
    { id: 1, name: 'a|b' },
    { id: 2, name: 'c\nd', more: true },
  ];

  it('is JSON of anything', () => {
    expect(JSON.parse(resultText({ value: rows }, 'json'))).toEqual(rows);
  });

  it('is a text as it is, and everything else as JSON', () => {
    expect(resultText({ value: 'as it is' }, 'text')).toBe('as it is');
    expect(resultText({ value: null }, 'text')).toBe('');
    expect(JSON.parse(resultText({ value: rows }, 'text'))).toEqual(rows);
  });

  it('is Markdown: tables for what is flat, whose cells cannot end a cell, and a fence for the rest', () => {
    expect(resultText({ value: rows }, 'markdown')).toBe(
      '| id | name | more |\n| --- | --- | --- |\n| 1 | a\\|b |  |\n| 2 | c d | true |',
    );
    expect(resultText({ value: { a: 1 } }, 'markdown')).toBe('|  |  |\n| --- | --- |\n| a | 1 |');
    expect(resultText({ value: { deep: { a: 1 } } }, 'markdown')).toMatch(/^```json\n\{[\s\S]*\}\n```$/);
  });

  it('is the text of its content blocks', () => {
    const blocks = [
      { type: 'text', text: 'One' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'Two' } },
      { type: 'resource_link', uri: 'https://example.com', name: 'x](y' },
    ];
    expect(resultText({ value: null, blocks }, 'markdown')).toBe(
      'One\n\nTwo\n\n[x\\](y](<https://example.com>)',
    );
  });
});
