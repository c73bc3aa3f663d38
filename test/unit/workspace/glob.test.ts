import { expect, test } from 'vitest';
import { globToRegExp } from '#src/workspace/files/glob.ts';
import { sortGlobs } from '#src/workspace/files/usable-globs.ts';

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

test('globs that lead out of a folder, or that no process has room for, are not used', () => {
  const usable = ['scripts/*.ts', '**', './a/../b/**', '..a/*.ts', 'a.ts', '{../x,y}/*.ts'];
  const others = [
    ...['../**/*.ts', '..', 'src/../../x/*.ts', './../*.ts', '/etc/**', 'C:/x/**', '\\\\host\\x'],
    '?'.repeat(200_000),
  ];
  expect(sortGlobs([...usable, ...others])).toEqual({ usable, others });
});
