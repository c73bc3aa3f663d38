import { expect, test } from 'vitest';
import { callTimes, durationText } from '../../../src/vscode/trees/call-times.ts';

test.each([
  [7.4, '7 ms'],
  [999.9, '1000 ms'],
  [1000, '1.0 s'],
  [59_499, '59.5 s'],
  [59_600, '1 min 0 s'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h 0 min'],
  [-5, '0 ms'],
])('%d ms read %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test('an ended call says when it began and how long it took; a running one does not tick', () => {
  expect(callTimes({ startedAt: 10, endedAt: 2010 }, (time) => `at ${time}`)).toBe('at 10, 2.0 s');
  expect(callTimes({ startedAt: 10 })).toBeUndefined();
});
