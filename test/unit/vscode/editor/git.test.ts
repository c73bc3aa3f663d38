import { describe, expect, it } from 'vitest';
import { gitErrorOf } from '#src/vscode/calls/editor/git-errors.ts';

describe('what the Git extension throws', () => {
  const thrown = (gitErrorCode: string | undefined, more = {}) =>
    gitErrorOf(Object.assign(new Error('Failed to execute git'), { gitErrorCode, ...more }));

  it.each([
    ['NoUserNameConfigured', 'identity', /git config --global user\.name/],
    ['NoUserEmailConfigured', 'identity', /user\.email/],
    ['UnmergedChanges', 'conflicts', /Resolve them/],
    ['Conflict', 'conflicts', /Resolve them/],
    ['RepositoryIsLocked', 'locked', /index\.lock/],
    ['GitNotFound', 'unavailable', /check that git is installed/],
    ['SomethingNew', 'refused', /git refused.*Failed to execute git/s],
    [undefined, 'refused', /git refused/],
  ])('%s becomes %s, with what to do', (code, problem, text) => {
    const error = thrown(code);
    expect(error).toMatchObject({ code: 'GIT', problem, message: expect.stringMatching(text) });
    expect((error.cause as Error).message).toBe('Failed to execute git');
  });

  it('is quoted, hooks included, and cut when it is long', () => {
    expect(thrown(undefined, { stderr: 'lint: 2 errors\n', stdout: '' }).message).toMatch(
      /Git said:\nlint: 2 errors$/,
    );
    expect(thrown(undefined, { stderr: ' \n' }).message).toMatch(/Git said:\nFailed to execute git$/);
    expect(thrown('Conflict', { stdout: 'one', stderr: 'two' }).message).toMatch(/Git said:\none\ntwo$/);
    const long = thrown(undefined, { stderr: `${'x'.repeat(10_000)}the end` }).message;
    expect(long.length).toBeLessThan(4500);
    expect(long).toMatch(/…x+the end$/);
  });

  it('is an error of ours even when it was none at all', () => {
    expect(gitErrorOf('no')).toMatchObject({ code: 'GIT', message: expect.stringContaining('no') });
  });
});
