import { describe, expect, test } from 'vitest';
import { reached, readChange } from '#test/harness/changed.ts';

const git =
  (answers: Readonly<Record<string, string>>) =>
  (...args: readonly string[]) => {
    const answer = answers[args.join(' ')];
    if (answer === undefined) throw new Error('fatal');
    return answer;
  };

describe('a change', () => {
  test('is what is not in the branch that this one goes to, and what git does not know yet', () => {
    const known = git({
      'merge-base HEAD @{upstream}': 'abc',
      'diff --name-only abc': 'src/a.ts\nsrc/b.ts',
      'ls-files --others --exclude-standard': 'c.md',
    });
    expect(readChange(known)).toEqual({ since: 'abc', files: ['src/a.ts', 'src/b.ts', 'c.md'] });
  });

  test('is what is not committed where the branch goes nowhere', () => {
    const known = git({ 'diff --name-only HEAD': '', 'ls-files --others --exclude-standard': '' });
    expect(readChange(known)).toEqual({ since: 'HEAD', files: [] });
  });
});

describe('of a stage a change', () => {
  const change = { since: 'abc', files: ['src/a.ts'] };

  test('reaches all that looks at its files, and of what looks at everything', () => {
    expect(reached({}, change)).toEqual({});
    const stage = { whole: /^src/, related: true } as const;
    expect(reached(stage, change)).toBe(stage);
  });

  test('reaches the tests that import its files, which may be none', () => {
    expect(reached({ whole: /^docs/, related: true, args: ['--x'] }, change)).toMatchObject({
      args: ['--x', '--changed=abc', '--passWithNoTests'],
      mayBeEmpty: true,
    });
  });

  test('reaches nothing where others are started', () => {
    expect(reached({ whole: /^docs/ }, change)).toBeUndefined();
  });
});
