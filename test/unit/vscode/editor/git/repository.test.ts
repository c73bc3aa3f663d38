import { mkdir, open as openFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from 'effection';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { parseStatus } from '#src/vscode/calls/editor/git/status.ts';
import { type RealGit, realGit } from './real-git.ts';

let kit: RealGit;
beforeEach(async () => {
  kit = await realGit();
});

const write = (path: string, text: string) => writeFile(join(kit.folder, path), text);
const begin = async () => {
  await kit.git(['add', '--all']);
  await kit.git(['commit', '--quiet', '--allow-empty', '-m', 'init']);
};
const diff = (options: { path?: string; staged?: boolean; most?: number }) =>
  run(() => kit.repository.diff({ staged: false, ...options }));

describe('the diff of a file', () => {
  it('is of that file alone, whatever it is called', async () => {
    for (const path of ['*', '[id].txt', 'i.txt', ':x']) await write(path, 'before\n');
    await begin();
    for (const path of ['*', '[id].txt', 'i.txt', ':x']) await write(path, `after of ${path}\n`);
    expect(await diff({ path: '*' })).toContain('+after of *');
    expect((await diff({ path: '*' })).match(/^\+after/gm)).toHaveLength(1);
    expect((await diff({ path: ':x' })).match(/^\+after/gm)).toEqual(['+after']);
    expect(await diff({ path: '[id].txt' })).not.toContain('i.txt b/i.txt');
    expect((await diff({})).match(/^\+after/gm)).toHaveLength(4);
  });

  it('is not of what is now in a folder of its name', async () => {
    await write('a', 'file\n');
    await begin();
    await kit.git(['rm', '--quiet', 'a']);
    await mkdir(join(kit.folder, 'a'));
    await write('a/key', 'hidden\n');
    await kit.git(['add', 'a/key']);
    const text = await diff({ path: 'a', staged: true });
    expect(text).toContain('-file');
    expect(text).not.toContain('hidden');
  });

  it('is where a link leads to, never what is there', async () => {
    await begin();
    await write('key.txt', 'the secret\n');
    const target = join(kit.folder, 'key.txt');
    await symlink(target, join(kit.folder, 'link'));
    expect(await diff({ path: 'link' })).toMatch(new RegExp(`\\n\\+${target}\\n$`));
    await kit.git(['add', 'link']);
    const staged = await diff({ path: 'link', staged: true });
    expect(staged).toContain(`+${target}`);
    expect(staged).not.toContain('secret');
  });

  it('is nothing when a folder on the way has become a link', async () => {
    await begin();
    const outside = await realGit();
    await writeFile(join(outside.folder, 'key'), 'the secret\n');
    await mkdir(join(kit.folder, 'in'));
    await write('in/key', 'mine\n');
    const { newFileDiff } = await import('#src/vscode/calls/editor/git/file-diff.ts');
    const read = () => run(() => newFileDiff({ program: 'git', root: kit.folder }, 'in/key', 1000));
    expect(await read()).toContain('+mine');
    await rename(join(kit.folder, 'in'), join(kit.folder, 'was'));
    await symlink(outside.folder, join(kit.folder, 'in'));
    expect(await read()).toBe('');
  });

  it.each(['tracked', 'not tracked'])('of a hundred megabytes is never read whole (%s)', async (which) => {
    await write('big.txt', 'small\n');
    if (which === 'tracked') await begin();
    const file = await openFile(join(kit.folder, 'big.txt'), 'w');
    await file.truncate(100_000_000);
    await file.write('x\n'.repeat(100_000), 0);
    await file.close();
    const before = process.memoryUsage().rss;
    const text = await diff({ path: 'big.txt', most: 5000 });
    expect(text.length).toBeLessThan(20_000);
    expect(text).toMatch(
      which === 'tracked' ? /^Binary files .*big\.txt differ$/m : /cut: 100000000 bytes in all/,
    );
    expect(process.memoryUsage().rss - before).toBeLessThan(50_000_000);
  });

  it('that is longer than asked for is cut while it is read, and says so', async () => {
    await write('long.txt', '');
    await begin();
    await write('long.txt', 'a line of text\n'.repeat(100_000));
    const text = await diff({ path: 'long.txt', most: 1000 });
    expect(text.length).toBeLessThan(1100);
    expect(text).toMatch(/\[cut\]\n$/);
  });

  it('runs no program that the repository names', async () => {
    await write('a.txt', '1\n');
    await write('.gitattributes', '*.txt diff=evil\n');
    await begin();
    const trace = join(kit.folder, '.git', 'ran');
    await kit.git(['config', 'diff.evil.command', `touch '${trace}'; true`]);
    await kit.git(['config', 'diff.evil.textconv', `touch '${trace}'; cat`]);
    await write('a.txt', '2\n');
    expect(await diff({ path: 'a.txt' })).toContain('+2');
    await expect(openFile(trace)).rejects.toThrow('ENOENT');
  });
});

describe('changes', () => {
  test('of every kind are listed with where they were', async () => {
    for (const path of ['gone.ts', 'old.ts', 'both.ts', 'kind'])
      await write(path, `${path}, a text of its own\n`);
    await begin();
    await kit.git(['rm', '--quiet', 'gone.ts']);
    await kit.git(['mv', 'old.ts', 'new name\n.ts']);
    await write('both.ts', '1\n');
    await write('added.ts', '1\n');
    await kit.git(['add', 'both.ts', 'added.ts']);
    await write('both.ts', '2\n');
    await write('fresh', '');
    expect(await run(() => kit.repository.changes())).toEqual([
      { path: 'added.ts', kind: 'added', staged: true },
      { path: 'both.ts', kind: 'modified', staged: true },
      { path: 'both.ts', kind: 'modified', staged: false },
      { path: 'gone.ts', kind: 'deleted', staged: true },
      { path: 'new name\n.ts', from: 'old.ts', kind: 'renamed', staged: true },
      { path: 'fresh', kind: 'untracked', staged: false },
    ]);
    expect(await run(() => kit.repository.branch())).toBe('main');
  });

  test('in conflict, of submodules and of ignored files read as git writes them', () => {
    const hash = '0'.repeat(40);
    const status = [
      `u UU N... 100644 100644 100644 100644 ${hash} ${hash} ${hash} a b`,
      `1 .M SC.. 160000 160000 160000 ${hash} ${hash} sub`,
      `1 .T N... 100644 100644 120000 ${hash} ${hash} link`,
      '? nested/',
      '! ignored',
      '',
    ].join('\0');
    expect(parseStatus(status)).toEqual([
      { path: 'a b', kind: 'conflicted', staged: false },
      { path: 'sub', kind: 'modified', staged: false },
      { path: 'link', kind: 'modified', staged: false },
      { path: 'nested', kind: 'untracked', staged: false },
    ]);
  });
});

test('staging and unstaging take paths, not patterns', async () => {
  for (const path of ['*', 'a.txt']) await write(path, '1\n');
  await begin();
  for (const path of ['*', 'a.txt']) await write(path, '2\n');
  await kit.git(['mv', 'a.txt', 'b.txt']);
  await run(() => kit.repository.stage(['*']));
  expect(await kit.list('diff', '--cached', '--name-only', '--no-renames', '-z')).toEqual([
    '*',
    'a.txt',
    'b.txt',
  ]);
  await run(() => kit.repository.unstage(['b.txt']));
  expect(await kit.list('diff', '--cached', '--name-only', '--no-renames', '-z')).toEqual(['*']);
  await run(() => kit.repository.unstage(['*']));
  expect(await kit.list('diff', '--cached', '--name-only', '--no-renames', '-z')).toEqual([]);
});

test('git that is not there is said', async () => {
  const { createRepository } = await import('#src/vscode/calls/editor/git/repository.ts');
  const repository = createRepository({ program: '/no/git', root: kit.folder }, function* () {});
  await expect(run(() => repository.changes())).rejects.toMatchObject({
    code: 'GIT',
    problem: 'unavailable',
  });
});
