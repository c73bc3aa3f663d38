import { describe, expect, it } from 'vitest';
import type { Uri } from 'vscode';
import { changesOf, pathIn } from '../../../../src/vscode/editor/git-changes.ts';
import { gitErrorOf } from '../../../../src/vscode/editor/git-errors.ts';

const uri = (path: string) => ({ path }) as Uri;
const rootUri = uri('/c:/Work/shop');
const change = (path: string, status: number, to?: string) => ({
  uri: uri(`/c:/Work/shop/${path}`),
  originalUri: uri(`/c:/Work/shop/${path}`),
  renameUri: to === undefined ? undefined : uri(`/c:/Work/shop/${to}`),
  status,
});

describe('what the Git extension says of changes', () => {
  it('becomes kinds and paths, by where they are', () => {
    const state = {
      HEAD: undefined,
      mergeChanges: [change('both.ts', 18)],
      indexChanges: [change('old.ts', 3, 'new.ts'), change('added.ts', 1), change('a.ts', 0)],
      workingTreeChanges: [change('a.ts', 5), change('gone.ts', 6), change('fresh.ts', 7), change('log', 8)],
      untrackedChanges: [change('apart.ts', 7)],
    };
    expect(changesOf({ rootUri, state })).toEqual([
      { path: 'both.ts', kind: 'conflicted', staged: false },
      { path: 'new.ts', from: 'old.ts', kind: 'renamed', staged: true },
      { path: 'added.ts', kind: 'added', staged: true },
      { path: 'a.ts', kind: 'modified', staged: true },
      { path: 'a.ts', kind: 'modified', staged: false },
      { path: 'gone.ts', kind: 'deleted', staged: false },
      { path: 'fresh.ts', kind: 'untracked', staged: false },
      { path: 'apart.ts', kind: 'untracked', staged: false },
    ]);
  });

  it('is relative to the root, whatever the drive is written like', () => {
    expect(pathIn({ rootUri }, uri('/C:/Work/shop/src/a.ts'))).toBe('src/a.ts');
    expect(pathIn({ rootUri: uri('/') }, uri('/src/a.ts'))).toBe('src/a.ts');
  });
});

describe('what the Git extension throws', () => {
  const thrown = (gitErrorCode: string | undefined, more = {}) =>
    gitErrorOf(Object.assign(new Error('Failed to execute git'), { gitErrorCode, ...more }));

  it.each([
    ['NoUserNameConfigured', 'identity', /git config --global user\.name/],
    ['NoUserEmailConfigured', 'identity', /user\.email/],
    ['UnmergedChanges', 'conflicts', /Resolve them/],
    ['RepositoryIsLocked', 'locked', /index\.lock/],
    ['GitNotFound', 'unavailable', /make sure that git is installed/],
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
    const long = thrown(undefined, { stderr: `${'x'.repeat(10_000)}the end` }).message;
    expect(long.length).toBeLessThan(4500);
    expect(long).toMatch(/…x+the end$/);
  });

  it('is an error of ours even when it was none at all', () => {
    expect(gitErrorOf('no')).toMatchObject({ code: 'GIT', message: expect.stringContaining('no') });
  });
});
