import { expect, it } from 'vitest';
import { encodeLog, isLogged } from '#src/mcp/wire/log.ts';
import { logLevelOf, progressTokenOf } from '#src/mcp/wire/meta.ts';

it('lets through what is as severe as asked for, or more', () => {
  expect(isLogged('warning', 'warning')).toBe(true);
  expect(isLogged('emergency', 'debug')).toBe(true);
  expect(isLogged('info', 'notice')).toBe(false);
});

it('sends a line as text, and data beside it', () => {
  expect(encodeLog('book', { level: 'info', message: 'hi' })).toEqual({
    level: 'info',
    logger: 'book',
    data: 'hi',
  });
  expect(encodeLog('book', { level: 'info', message: 'hi', data: { a: 1 } })).toEqual({
    level: 'info',
    logger: 'book',
    data: { message: 'hi', data: { a: 1 } },
  });
});

it('takes a progress token that is 0, and no level that is none', () => {
  expect(progressTokenOf({ progressToken: 0 })).toBe(0);
  expect(progressTokenOf({ progressToken: null })).toBeUndefined();
  expect(progressTokenOf(undefined)).toBeUndefined();
  expect(logLevelOf('critical')).toBe('critical');
  expect(logLevelOf('loud')).toBeUndefined();
});
