import { describe, expect, test } from 'vitest';
import { isTitled, paramsOf, tabTitle, titleWith } from '#src/vscode/calls/panel/tabs/tab-title.ts';

describe('the title of a run panel’s tab', () => {
  test('says what the tool was given', () => {
    expect(titleWith('Book a flight', { from: 'AMS', destination: 'LIS', seats: 2 })).toBe(
      'Book a flight — AMS, LIS, 2',
    );
  });

  test.each([
    ['before the call has begun', undefined],
    ['without parameters', {}],
    ['with parameters that say nothing in a tab', { fast: true, days: ['mon'], note: ' \n ' }],
    ['with numbers alone, which name nothing', { count: 10, pause: 500 }],
    ['with a secret', { password: 'hunter2', apiKey: 'k' }],
  ])('is the tool’s alone %s', (_when, params) => {
    expect(titleWith('Book a flight', params)).toBe('Book a flight');
  });

  test('does not say what was chosen from a fixed list', () => {
    const choices = {
      properties: { first: { type: 'string', enum: ['user', 'model'] }, name: { type: 'string' } },
    };
    expect(titleWith('Play', { first: 'user', name: 'Ada' }, { schema: choices })).toBe('Play — Ada');
    expect(titleWith('Play', { first: 'user', seats: 2 }, { schema: choices })).toBe('Play');
  });

  test('has one short line of what is long', () => {
    const title = titleWith('Ask', { question: `one\ntwo ${'x'.repeat(1000)}` });
    expect(title).toBe(`Ask — one two ${'x'.repeat(21)}…`);
  });

  test('leaves out what has lines of its own, where something shorter names the call', () => {
    const draft = '- Starts twice as fast\n- Dark theme';
    expect(titleWith('Release notes', { version: '2.4.0', draft })).toBe('Release notes — 2.4.0');
    expect(titleWith('Release notes', { draft, lines: 2 })).toBe(
      'Release notes — - Starts twice as fast - Dark…',
    );
  });

  test('leaves room for other tabs however long the title of a tool is, and is found again', () => {
    const long = `Everything ${'and more '.repeat(20)}`;
    const title = titleWith(long, { a: 'b' });
    expect(title).toMatch(/^Everything and more .*… — b$/);
    expect(title.length).toBeLessThan(70);
    expect(isTitled(tabTitle(title, true), long)).toBe(true);
    expect(isTitled(tabTitle(title, true), 'Everything')).toBe(false);
  });

  test('has more where there is more room than in a tab', () => {
    const question = 'Which license shall the project have?';
    expect(titleWith('Ask', { question }, { longest: 100 })).toBe(`Ask — ${question}`);
    expect(titleWith('Ask', { question }, { longest: 20 })).toBe('Ask — Which license shall…');
  });

  test('has what is said and not the marks of Markdown', () => {
    expect(titleWith('Ask', { message: 'Which **license**?', files: 'src/**/a.ts' })).toBe(
      'Ask — Which license?, src/**/a.ts',
    );
  });

  test('has the heading of a document', () => {
    expect(titleWith('Review', { document: '# Move to SQLite\n\nFirst …' })).toBe('Review — Move to SQLite');
  });

  test('says once what is given twice, as a document and its title', () => {
    expect(titleWith('Review', { title: 'My plan', document: '# My plan\n\nFirst …' })).toBe(
      'Review — My plan',
    );
  });

  test('is found again, whatever was given and whether it waits', () => {
    for (const waits of [true, false]) {
      expect(isTitled(tabTitle(titleWith('Ask', { a: 'b' }), waits), 'Ask')).toBe(true);
      expect(isTitled(tabTitle('Ask', waits), 'Ask')).toBe(true);
    }
    expect(isTitled('Ask twice', 'Ask')).toBe(false);
  });

  test('knows the parameters from the first line of what happened', () => {
    const started = { index: 0, depth: 0, time: 1, type: 'started' } as const;
    expect(paramsOf({ rows: [{ ...started, params: { a: 1 } }] })).toEqual({ a: 1 });
    expect(paramsOf({ rows: [started] })).toBeUndefined();
    expect(paramsOf({ rows: [] })).toBeUndefined();
  });
});
