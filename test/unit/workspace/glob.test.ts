import { expect, test } from 'vitest';
import { globToRegExp } from '#src/workspace/files/glob.ts';

test.each([
  ['tools/**/*.ts', ['tools/a.ts', 'tools/a/b/c.ts'], ['tools/a.js', 'a.ts']],
  ['**/tools/*.{ts,js}', ['tools/a.ts', 'x/y/tools/a.js'], ['tools/a/b.ts', 'tools/a.mjs']],
  ['./src/?.ts', ['src/a.ts'], ['src/ab.ts', './src/a.ts']],
  ['src/**', ['src/a', 'src/a/b.ts'], ['srcs/a']],
])('%s is about files as people expect', (glob, fits, others) => {
  const wanted = globToRegExp(glob);
  expect(fits.filter((path) => !wanted.test(path))).toEqual([]);
  expect(others.filter((path) => wanted.test(path))).toEqual([]);
});

test.each([
  [`${'**/'.repeat(30)}tool.ts`, '**/tool.ts'],
  ['src/**/**/**/*.ts', 'src/**/*.ts'],
  ['src/****', 'src/**'],
])('%s says what %s says, and costs no more', (glob, short) => {
  expect(globToRegExp(glob)).toEqual(globToRegExp(short));
});
