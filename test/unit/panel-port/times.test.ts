import { expect, test } from 'vitest';
import { dateTimeText, durationText, timeText, wholeDurationText } from '#src/panel-port/index.ts';
import { callTimes } from '#src/vscode/calls/list/call-times.ts';

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

test.each([
  [-5, '0 s'],
  [1999, '1 s'],
  [65_900, '1 min 5 s'],
  [7_260_000, '2 h 1 min'],
])('%d ms tick as %s', (milliseconds, text) => {
  expect(wholeDurationText(milliseconds)).toBe(text);
});

test('a moment is said in the time of this machine, with all its digits', () => {
  const time = new Date(2026, 6, 8, 9, 5, 3).getTime();
  expect(timeText(time)).toBe('09:05:03');
  expect(dateTimeText(time)).toBe('2026-07-08 09:05:03');
});

test('an ended call says when it began and how long it took; a running one does not tick', () => {
  const startedAt = new Date(2026, 6, 8, 9, 5, 3).getTime();
  expect(callTimes({ startedAt, endedAt: startedAt + 2000 })).toBe('09:05:03, 2.0 s');
  expect(callTimes({ startedAt })).toBeUndefined();
});
