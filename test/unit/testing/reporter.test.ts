import { expect, test } from 'vitest';
import report from '#src/testing/node/reporter.ts';

type Event = Parameters<typeof report>[0] extends AsyncIterable<infer E> ? E : never;

/** What is reported of such events, as data. */
async function reported(...events: Event[]) {
  const lines: unknown[] = [];
  async function* all() {
    yield* events;
  }
  for await (const text of report(all())) lines.push(JSON.parse(text));
  return lines;
}

const failed = {
  error: { cause: { message: 'not so', code: 'ERR_ASSERTION', expected: { b: 1, a: 2 }, actual: 'x' } },
};

test('a test that failed says how, unless it is one to do or to skip', async () => {
  expect(
    await reported(
      { type: 'test:start', data: {} },
      { type: 'test:pass', data: { name: 'a', skip: false, todo: false } },
      { type: 'test:fail', data: { name: 'b', details: failed } },
      { type: 'test:fail', data: { name: 'c', details: failed, todo: true } },
      { type: 'test:fail', data: { name: 'd', details: failed, todo: '' } },
      { type: 'test:pass', data: { name: 'e', skip: 'not here' } },
      { type: 'test:fail', data: { name: 'f', details: { error: 'a text' } } },
    ),
  ).toEqual([
    { type: 'test', name: 'a', suite: false, how: 'passed' },
    {
      type: 'test',
      name: 'b',
      suite: false,
      how: 'failed',
      message: 'not so',
      expected: '{ a: 2, b: 1 }',
      actual: 'x',
    },
    { type: 'test', name: 'c', suite: false, how: 'skipped' },
    { type: 'test', name: 'd', suite: false, how: 'skipped' },
    { type: 'test', name: 'e', suite: false, how: 'skipped' },
    { type: 'test', name: 'f', suite: false, how: 'failed', message: 'a text' },
  ]);
});

test('coverage is a line for each file, and so is why there is none', async () => {
  const files = [{ path: '/a.ts', lines: [{ line: 1, count: 2 }] }];
  expect(
    await reported(
      { type: 'test:diagnostic', data: { message: 'tests 1' } },
      { type: 'test:diagnostic', data: { message: 'Warning: no coverage' } },
      { type: 'test:coverage', data: { summary: { files } } },
      { type: 'test:coverage', data: {} },
    ),
  ).toEqual([
    { type: 'warning', message: 'Warning: no coverage' },
    { type: 'coverage', file: '/a.ts', lines: [[1, 2]] },
  ]);
});
