import { execFile } from 'node:child_process';
import { copyFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createSignal, type Operation, run, scoped, sleep, spawn, until } from 'effection';
import { describe, expect, test } from 'vitest';
import { watchGitMoves } from '#src/workspace/files/git-moves.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';
const C = '.parley/tools/c.ts';

/** Git in a folder, as nobody in particular. */
function* git(folder: string, ...args: string[]): Operation<void> {
  const who = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'core.hooksPath=/dev/null'];
  yield* until(promisify(execFile)('git', [...who, ...args], { cwd: folder }));
}

const counter = globalThis as unknown as { parleyTheirs?: number };
const counts = '(globalThis as any).parleyTheirs++;';

/** A repository with two branches: `main` has the tools A and C, `theirs` changes A and adds B. */
function* makeBranches(folder: string): Operation<void> {
  const commit = function* (message: string) {
    yield* git(folder, 'add', '.');
    yield* git(folder, 'commit', '-qm', message);
  };
  yield* git(folder, 'init', '-q', '-b', 'main');
  yield* commit('ours');
  yield* git(folder, 'checkout', '-qb', 'theirs');
  yield* until(writeFile(join(folder, A), toolSource('a', '2', counts)));
  yield* until(writeFile(join(folder, B), toolSource('b', '2', counts)));
  yield* commit('theirs');
  yield* git(folder, 'checkout', '-q', 'main');
}

/** A window on that repository. */
function* inRepository() {
  const changes = createSignal<string, never>();
  const edits = createSignal<string, never>();
  const reports = createSignal<void, never>();
  counter.parleyTheirs = 0;
  const window = yield* useLoadedFolder(
    sharedEsbuild(),
    { [A]: toolSource('a', '1'), [C]: toolSource('c', '1') },
    {
      changes,
      edits,
      onLoad: () => reports.send(),
      *git(folder) {
        yield* makeBranches(folder);
        return yield* watchGitMoves(folder, 0);
      },
    },
  );
  const { folder, registry } = window;
  const untilLoaded = (cause: () => void) =>
    scoped(function* () {
      const loads = yield* reports;
      cause();
      yield* loads.next();
    });
  return {
    ...window,
    edits,
    git: (...args: string[]) => git(folder.path, ...args),
    /** Tells of changes as a watcher does, and waits for the load. */
    *tell(...files: string[]) {
      yield* untilLoaded(() => {
        for (const file of files) changes.send(folder.file(file));
      });
    },
    /** Saves in the editor. */
    *save(file: string, text: string) {
      yield* folder.write({ [file]: text });
      yield* untilLoaded(() => edits.send(folder.file(file)));
    },
    /** How often code of their branch was run. */
    theirs: () => counter.parleyTheirs,
    waiting: () =>
      registry
        .problems()
        .flatMap(({ kind, file }) => (kind === 'waiting' ? [file.slice(folder.path.length + 1)] : [])),
    names: () => registry.list().map(({ name }) => name),
    call: (name: string) => runBare(registry.get(name)?.tool),
  };
}

describe('a branch that is checked out', () => {
  test('runs nothing: what it has changed stays as it was, and is said to wait', () =>
    run(function* () {
      const { git, tell, theirs, waiting, names, call } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* tell(A, B);
      expect(theirs()).toBe(0);
      expect(names()).toEqual(['a', 'c']);
      expect(yield* call('a')).toBe(1);
      expect(waiting()).toEqual([A, B]);
    }));

  test('is loaded file by file, as somebody needs them', () =>
    run(function* () {
      const { folder, git, tell, need, theirs, waiting, call, save } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* tell(A, B);
      yield* need(folder.file(C));
      expect(theirs()).toBe(0);
      yield* need(folder.file(A));
      expect(yield* call('a')).toBe(2);
      expect(waiting()).toEqual([B]);
      yield* save(C, toolSource('c', '3'));
      expect([yield* call('c'), theirs(), waiting()]).toEqual([3, 1, [B]]);
      yield* save(B, toolSource('b', '4'));
      expect([yield* call('b'), waiting()]).toEqual([4, []]);
    }));

  test('is loaded whole when the person says so', () =>
    run(function* () {
      const { git, tell, reload, theirs, waiting, names } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* tell(A, B);
      yield* reload();
      expect([theirs(), waiting()]).toEqual([0, [A, B]]);
      yield* reload({ release: 'all' });
      expect([theirs(), waiting(), names()]).toEqual([2, [], ['a', 'b', 'c']]);
    }));

  test('waits no more when it is left again, and nothing of it has run', () =>
    run(function* () {
      const { git, tell, theirs, waiting, call } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* tell(A, B);
      yield* git('checkout', '-q', 'main');
      yield* tell(A, B);
      expect([theirs(), waiting(), yield* call('a')]).toEqual([0, [], 1]);
    }));

  test('is waited for while git is at it', () =>
    run(function* () {
      const { folder, git, tell, theirs, waiting } = yield* inRepository();
      yield* folder.write({ '.git/index.lock': '' });
      yield* folder.write({ [A]: toolSource('a', '2', counts) });
      const told = yield* spawn(() => tell(A));
      // Longer than a burst lasts: the load that must not begin would have begun.
      yield* sleep(300);
      // With an index of its own it goes on though the lock is there, as git does that has it; no time is between the two.
      const index = folder.file('.git/index');
      yield* until(copyFile(index, `${index}.own`));
      yield* git('-c', `alias.own=!GIT_INDEX_FILE="${index}.own" git checkout -qf`, 'own', 'theirs');
      yield* until(rename(`${index}.own`, index));
      yield* until(rm(`${index}.lock`));
      yield* told;
      expect([theirs(), waiting()]).toEqual([0, [A, B]]);
    }));
});

describe('a file that waits', () => {
  test('is loaded when the person saves it, also when a watcher was the first to tell', () =>
    run(function* () {
      const { folder, git, edits, tell, need, waiting, call } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* tell(A, B);
      yield* folder.write({ [A]: toolSource('a', '8') });
      yield* tell(A);
      expect(waiting()).toEqual([A, B]);
      edits.send(folder.file(A));
      yield* need(folder.file(C));
      expect([yield* call('a'), waiting()]).toEqual([8, [B]]);
    }));
});

describe('an agent that calls a tool', () => {
  test('has nothing of a branch run that was checked out, told of or not', () =>
    run(function* () {
      const { folder, git, tell, catchUp, theirs, waiting, call } = yield* inRepository();
      yield* git('checkout', '-q', 'theirs');
      yield* catchUp(folder.file(A));
      expect([theirs(), yield* call('a'), waiting()]).toEqual([0, 1, [A, B]]);
      yield* tell(A, B);
      yield* catchUp(folder.file(A));
      expect([theirs(), yield* call('a')]).toEqual([0, 1]);
    }));
});

describe('a merge that stops at a conflict', () => {
  test('runs nothing of what it has put in place, though HEAD has not moved', () =>
    run(function* () {
      const { folder, git, save, tell, need, outside, theirs, waiting, call } = yield* inRepository();
      yield* save(A, toolSource('a', '3'));
      yield* git('commit', '-qam', 'ours again');
      yield* git('merge', '-q', '-X', 'theirs', '--no-commit', 'theirs');
      yield* tell(A, B);
      yield* need(folder.file(A));
      expect([theirs(), yield* call('a'), waiting()]).toEqual([0, 3, [A, B]]);
      expect(outside().map(({ file }) => file)).toEqual([folder.file(A), folder.file(B)]);
    }));
});

describe('a save in the editor', () => {
  test('is loaded though no watcher tells of it, and once though one does', () =>
    run(function* () {
      const { folder, registry, save, tell, call } = yield* inRepository();
      yield* save(A, toolSource('a', '7'));
      expect(yield* call('a')).toBe(7);
      const { version } = registry;
      // The watcher's word for it, and another change: one load, for the other.
      yield* folder.write({ [C]: toolSource('c', '8') });
      yield* tell(A, C);
      expect(registry.version).toBe(version + 1);
    }));

  test('is there for who runs the tool in the same moment', () =>
    run(function* () {
      const { folder, edits, need, call } = yield* inRepository();
      yield* folder.write({ [A]: toolSource('a', '9') });
      edits.send(folder.file(A));
      yield* need(folder.file(A));
      expect(yield* call('a')).toBe(9);
    }));
});
