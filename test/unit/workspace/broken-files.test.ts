import { describe, expect, test } from 'vitest';
import { errorData } from '#src/core/errors/data/error-data.ts';
import { errorFromData } from '#src/core/errors/data/error-from-data.ts';
import { isBrokenFile } from '#src/workspace/bundler/broken-files.ts';

describe('an error of a module that ran into a broken file', () => {
  const error = Object.assign(new Error('it cannot be built'), { name: 'ParleyBrokenFileError' });

  test('is known by its name, also when it comes from another realm', () => {
    expect(isBrokenFile(error)).toBe(true);
    expect(isBrokenFile(errorFromData(errorData(error)))).toBe(true);
  });

  test('is no other error, and nothing else that may be thrown', () => {
    for (const thrown of [new Error('x'), undefined, null, 'x', 7]) expect(isBrokenFile(thrown)).toBe(false);
  });
});
