import { lstat, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { run, suspend, until } from 'effection';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { GitChange } from '#src/core/editor/editor-git.ts';
import { isParleyError } from '#src/core/errors/errors.ts';
import { type RealGit, realGit } from './real-git.ts';

const write = async ({ folder }: RealGit, path: string, text: string) => {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
};

/** All files, committed. */
const begin = async (git: RealGit, files: Readonly<Record<string, string>>) => {
  for (const [path, text] of Object.entries(files)) await write(git, path, text);
  await git.git(['add', '--all']);
  await git.git(['commit', '--quiet', '--allow-empty', '-m', 'init']);
};

const committed = ({ list }: RealGit) =>
  list(
    'show',
    '--name-only',
    '--no-renames',
    '--ignore-submodules=none',
    '--format=',
    '-z',
    '--first-parent',
    'HEAD',
  );
const indexOf = ({ list }: RealGit) => list('ls-files', '--stage', '-z');
const commit = ({ repository }: RealGit, changes: readonly GitChange[]) =>
  run(() => repository.commit('feat: this', changes));
const changesOf = ({ repository }: RealGit) => run(() => repository.changes());
const named =
  (...paths: string[]) =>
  ({ path }: GitChange) =>
    paths.includes(path);

describe('a change that is not there any more', () => {
  test('is committed by nobody: git is not even asked to', async () => {
    let asked = 0;
    const git = await realGit(function* () {
      asked += 1;
    });
    await begin(git, { 'a.txt': 'a', 'b.txt': 'b' });
    await write(git, 'a.txt', 'A');
    await write(git, 'b.txt', 'B');
    const changes = await changesOf(git);
    await write(git, 'b.txt', 'b');
    await expect(commit(git, changes)).rejects.toThrow(/would not have contained "b.txt"/);
    expect(asked).toBe(0);
  });
});

/** Names that git, a shell or a list of patterns takes for something else. */
const HOSTILE = [
  '*',
  '?',
  '[id].txt',
  'i.txt',
  '[!a]',
  ':x',
  ':(glob)**',
  ':!x',
  '!x',
  '-rf',
  '--all',
  '--',
  '~',
  '$HOME',
  '`id`',
  'a b',
  ' lead',
  'trail ',
  'new\nline',
  'tab\there',
  'quote"s',
  "it's",
  'back\\slash',
  '#hash',
  'ünï',
  '日本',
  '\u202Egnp',
  'dir/[id].txt',
  'dir/i.txt',
  'dir/*',
  'x',
  '%2e%2e',
  '.gitignore.bak',
  'index.lock',
];

describe('committing exactly what was chosen', () => {
  test('of hostile names each file alone, one after the other', {
    timeout: 60_000,
    tags: 'long',
  }, async () => {
    const git = await realGit();
    await begin(git, { 'other.txt': 'a\n' });
    for (const path of HOSTILE) await write(git, path, `${path}\n`);
    await write(git, 'other.txt', 'b\n');
    const changes = await changesOf(git);
    expect(changes.map(({ path }) => path).sort()).toEqual([...HOSTILE, 'other.txt'].sort());
    for (const name of HOSTILE) {
      await commit(git, changes.filter(named(name)));
      expect(await committed(git)).toEqual([name]);
    }
    expect(await changesOf(git)).toEqual([{ path: 'other.txt', kind: 'modified', staged: false }]);
  });

  test('whatever files are called and however they changed: these, or nothing at all', async () => {
    const states = [
      'fresh',
      'changed',
      'deleted',
      'staged',
      'staged and changed',
      'staged away',
      'link',
      'same',
    ];
    const file = fc.record({
      path: fc.oneof(fc.constantFrom(...HOSTILE), fc.constantFrom('x/y', 'a', 'a/b', 'b', '*/x')),
      state: fc.constantFrom(...states),
      chosen: fc.boolean(),
      stagedPart: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(file, { selector: ({ path }) => path, minLength: 1, maxLength: 8 }),
        fc.boolean(),
        async (files, first) => {
          const git = await realGit();
          // A file cannot be where a folder is.
          const made: typeof files = [];
          for (const one of files) {
            const clash = made.some(
              ({ path }) => path.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/`),
            );
            if (!clash) made.push(one);
          }
          const known = made.filter(({ state }) => state !== 'fresh' && state !== 'link');
          if (!first) await begin(git, Object.fromEntries(known.map(({ path }) => [path, 'before\n'])));
          for (const { path, state } of made) await change(git, path, state);
          const changes = await changesOf(git);
          const chosen = changes.filter(({ path, from, staged }) =>
            made.some(
              (one) => (one.path === path || one.path === from) && one.chosen && one.stagedPart !== staged,
            ),
          );
          await expectExactly(git, chosen);
        },
      ),
      { numRuns: Number(process.env.FC_RUNS ?? 12) },
    );
  }, 120_000);

  test('a file where a folder was, and the other way round, when both are chosen', async () => {
    const git = await realGit();
    await begin(git, { a: 'file\n', 'b/c': 'in a folder\n' });
    await rm(join(git.folder, 'a'));
    await write(git, 'a/new', 'x\n');
    await rm(join(git.folder, 'b'), { recursive: true });
    await write(git, 'b', 'y\n');
    await commit(git, await changesOf(git));
    expect((await committed(git)).sort()).toEqual(['a', 'a/new', 'b', 'b/c']);
  });

  test('what would take another file along is refused, and the index is as it was', async () => {
    const git = await realGit();
    await begin(git, { a: 'file\n' });
    await rm(join(git.folder, 'a'));
    await write(git, 'a/new', 'x\n');
    const before = await indexOf(git);
    const chosen = (await changesOf(git)).filter(named('a/new'));
    await expect(commit(git, chosen)).rejects.toThrow(
      /not have contained exactly the chosen changes.*also have contained "a"/s,
    );
    expect(await indexOf(git)).toEqual(before);
  });

  test('a link is committed as a link, and so is one to a folder outside', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': 'a\n' });
    await symlink('/etc', join(git.folder, 'link'));
    await commit(git, await changesOf(git));
    expect(await committed(git)).toEqual(['link']);
    expect(await git.git(['ls-tree', 'HEAD', 'link'])).toMatch(/^120000 blob/);
  });

  test('of a submodule the commit that is checked out in it, and what is staged of one is not overlooked', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': 'a\n' });
    const inner = await realGit();
    await begin(inner, { 'in.txt': 'x\n' });
    await git.git(['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.folder, 'sub']);
    await git.git(['commit', '--quiet', '-m', 'sub']);
    const sub = (...args: string[]) =>
      git.git(['-C', 'sub', '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args]);
    await sub('commit', '--quiet', '--allow-empty', '-m', 'on');
    await git.git(['config', 'submodule.sub.ignore', 'all']);
    await git.git(['add', '--force', 'sub']);
    await write(git, 'a.txt', 'b\n');
    await commit(git, (await changesOf(git)).filter(named('a.txt')));
    expect(await committed(git)).toEqual(['a.txt']);
    await commit(git, [{ path: 'sub', kind: 'modified', staged: false }]);
    expect(await committed(git)).toEqual(['sub']);
  });

  test('of a file that is staged in part, the staged part; the rest stays', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    await git.git(['add', 'a.txt']);
    await write(git, 'a.txt', '3\n');
    await commit(
      git,
      (await changesOf(git)).filter(({ staged }) => staged),
    );
    expect(await git.git(['show', 'HEAD:a.txt'])).toBe('2\n');
    expect(await changesOf(git)).toEqual([{ path: 'a.txt', kind: 'modified', staged: false }]);
  });

  test('a renamed file goes with both its names', async () => {
    const git = await realGit();
    await begin(git, { 'old.txt': 'a text of its own\n', 'b.txt': 'b\n' });
    await git.git(['mv', 'old.txt', '*']);
    await write(git, 'b.txt', 'c\n');
    const changes = await changesOf(git);
    expect(changes).toContainEqual({ path: '*', from: 'old.txt', kind: 'renamed', staged: true });
    await commit(git, changes.filter(named('*')));
    expect((await committed(git)).sort()).toEqual(['*', 'old.txt']);
    expect(await changesOf(git)).toEqual([{ path: 'b.txt', kind: 'modified', staged: false }]);
  });

  test('a hook that refuses leaves what was staged as it was, in part, too', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': '1\n', 'b.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    await git.git(['add', 'a.txt']);
    await write(git, 'a.txt', '3\n');
    await write(git, 'b.txt', '2\n');
    const before = await indexOf(git);
    await hook(git, 'pre-commit', 'echo "lint: 2 errors" >&2; exit 1');
    const chosen = (await changesOf(git)).filter(named('b.txt'));
    await expect(commit(git, chosen)).rejects.toThrow(/git refused.*lint: 2 errors/s);
    expect(await indexOf(git)).toEqual(before);
    expect(await leftovers(git)).toEqual([]);
  });

  test.each([false, true])(
    'a commit to which a hook added a file is taken back (first: %s)',
    async (first) => {
      const git = await realGit();
      if (!first) await begin(git, { 'b.txt': '1\n' });
      await write(git, 'a.txt', '1\n');
      await write(git, 'extra.txt', '1\n');
      const before = await indexOf(git);
      const head = await git.git(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => 'none');
      await hook(git, 'pre-commit', 'git add extra.txt');
      const chosen = (await changesOf(git)).filter(named('a.txt'));
      await expect(commit(git, chosen)).rejects.toThrow(/exactly the chosen changes.*"extra\.txt"/s);
      expect(await git.git(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => 'none')).toBe(head);
      expect(await indexOf(git)).toEqual(before);
      // Chosen as well, it is what the person wants.
      await commit(git, await changesOf(git));
      expect((await committed(git)).sort()).toEqual(['a.txt', 'extra.txt']);
    },
  );

  test('a hook that mends what was chosen is fine', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    await hook(git, 'pre-commit', 'echo mended > a.txt; git add a.txt');
    await commit(git, await changesOf(git));
    expect(await git.git(['show', 'HEAD:a.txt'])).toBe('mended\n');
  });

  test('stopped before it commits, it leaves what was staged as it was', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': '1\n', 'b.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    await git.git(['add', 'a.txt']);
    await write(git, 'b.txt', '2\n');
    const before = await indexOf(git);
    // A filter that takes its time: git stages as long as that runs.
    const waiting = join(git.folder, '.git', 'waiting');
    await git.git(['config', 'filter.slow.clean', `touch '${waiting}'; exec sleep 600`]);
    await writeFile(join(git.folder, '.git', 'info', 'attributes'), 'b.txt filter=slow\n');
    const task = run(() => git.repository.commit('no', [{ path: 'b.txt', kind: 'modified', staged: false }]));
    task.catch(() => {});
    await expect.poll(() => lstat(waiting).catch(() => undefined), { timeout: 10_000 }).toBeDefined();
    await task.halt();
    await writeFile(join(git.folder, '.git', 'info', 'attributes'), '');
    expect(await indexOf(git)).toEqual(before);
    expect(await leftovers(git)).toEqual([]);
  });

  test('stopped while git commits, it does not touch the index any more', async () => {
    const committing = Promise.withResolvers<void>();
    const git = await realGit(function* () {
      committing.resolve();
      yield* suspend();
    });
    await begin(git, { 'a.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    const task = run(function* () {
      return yield* git.repository.commit('no', yield* git.repository.changes());
    });
    task.catch(() => {});
    await committing.promise;
    await task.halt();
    expect(await changesOf(git)).toEqual([{ path: 'a.txt', kind: 'modified', staged: true }]);
    expect(await leftovers(git)).toEqual([]);
  });

  test('while another program writes the index it says so, and what that program did stays', async () => {
    const git = await realGit(function* () {
      yield* until(writeFile(join(git.folder, '.git', 'index.lock'), ''));
      throw new Error('the editor lost its way');
    });
    await begin(git, { 'a.txt': '1\n' });
    await write(git, 'a.txt', '2\n');
    await expect(commit(git, await changesOf(git))).rejects.toThrow(/index\.lock/);
    expect(await readFile(join(git.folder, '.git', 'index.lock'), 'utf8')).toBe('');
  });

  test('conflicts are said', async () => {
    const git = await realGit();
    await begin(git, { 'a.txt': '1\n' });
    await git.git(['checkout', '--quiet', '-b', 'other']);
    await write(git, 'a.txt', '2\n');
    await git.git(['commit', '--quiet', '-am', 'two']);
    await git.git(['checkout', '--quiet', 'main']);
    await write(git, 'a.txt', '3\n');
    await git.git(['commit', '--quiet', '-am', 'three']);
    await git.git(['merge', 'other']).catch(() => {});
    const changes = await changesOf(git);
    expect(changes).toEqual([{ path: 'a.txt', kind: 'conflicted', staged: false }]);
    await expect(commit(git, changes)).rejects.toThrow(/merge conflicts/);
  });
});

async function hook({ folder }: RealGit, name: string, script: string): Promise<void> {
  await writeFile(join(folder, '.git', 'hooks', name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** What Parley forgot in `.git`. */
async function leftovers({ folder }: RealGit): Promise<string[]> {
  const { readdir } = await import('node:fs/promises');
  return (await readdir(join(folder, '.git'))).filter((name) => /parley|\.lock$/.test(name));
}

async function change(git: RealGit, path: string, state: string): Promise<void> {
  const file = join(git.folder, path);
  const add = () => git.git(['update-index', '--add', '--remove', '-z', '--stdin'], `${path}\0`);
  await mkdir(dirname(file), { recursive: true });
  switch (state) {
    case 'fresh':
    case 'changed':
      return writeFile(file, 'after\n');
    case 'deleted':
      return rm(file, { force: true });
    case 'link':
      return symlink('/etc/passwd', file);
    case 'staged':
      await writeFile(file, `staged ${path}\n`);
      await add();
      return;
    case 'staged and changed':
      await writeFile(file, `staged ${path}\n`);
      await add();
      return writeFile(file, 'after all\n');
    case 'staged away':
      await rm(file, { force: true });
      await add();
      return;
  }
}

/** Commits these: the commit holds their paths and no other, or nothing is different from before. */
async function expectExactly(git: RealGit, chosen: readonly GitChange[]): Promise<void> {
  if (chosen.length === 0) return;
  const before = { index: await indexOf(git), head: await headOf(git) };
  const wanted = new Set(chosen.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path])));
  try {
    await commit(git, chosen);
    expect((await committed(git)).sort()).toEqual([...wanted].sort());
  } catch (error) {
    if (!isParleyError(error, 'GIT')) throw error;
    expect(error.details).toMatchObject({ problem: 'inexact' });
    expect({ index: await indexOf(git), head: await headOf(git) }).toEqual(before);
  }
}

function headOf({ git }: RealGit): Promise<string> {
  return git(['rev-parse', '--verify', '--quiet', 'HEAD']).catch(() => 'none');
}
