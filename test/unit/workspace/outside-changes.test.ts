import { join } from 'node:path';
import { createSignal, type Operation, run, type Stream, scoped, until, withResolvers } from 'effection';
import { describe, expect, test } from 'vitest';
import { createHostRealm } from '#src/workspace/load/host-realm.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';
const HELPER = 'lib/helper.ts';
const PACKAGE = 'node_modules/dep/index.js';

const withHelper = (name: string, more = '0') =>
  toolSource(name, `n + ${more}`, "import { n } from '../../lib/helper.ts';");
const helper = (n: number) => `export const n = ${n};`;

/** A window on a folder with these files, in which nobody moves HEAD. An earlier one did not allow what has changed in `kept`. */
function* opened(at: Readonly<Record<string, string>>, ...kept: readonly string[]) {
  /** Holds up loads, once it is known which files wait. */
  let holdUp: Operation<void> | undefined;
  const heldUp = createSignal<void, never>();
  /** Sends when what was told begins to be taken up: what the editor tells, one thing after the other. */
  const takes = createSignal<void, never>();
  const changes = createSignal<string, never>();
  const edits = createSignal<string, never>();
  const reports = createSignal<void, never>();
  let notAllowed: readonly string[] = [];
  const window = yield* useLoadedFolder(sharedEsbuild(), at, {
    changes,
    edits,
    onLoad: () => reports.send(),
    *useRealm(options) {
      const realm = createHostRealm(options);
      return {
        *load(input) {
          heldUp.send();
          if (holdUp) yield* holdUp;
          return yield* realm.load(input);
        },
      };
    },
    *git(folder) {
      notAllowed = kept.map((file) => join(folder, file));
      return {
        *moved() {
          takes.send();
          return false;
        },
      };
    },
    notAllowed: {
      get: () => notAllowed,
      set: (files) => {
        notAllowed = files;
      },
    },
  });
  const { folder, registry, reload, outside } = window;
  const after = (what: Stream<void, never>, tell: () => void) =>
    scoped(function* () {
      const next = yield* what;
      tell();
      yield* next.next();
    });
  const loaded = (tell: () => void) => after(reports, tell);
  return {
    ...window,
    edits,
    notAllowed: () => notAllowed,
    /** Writes as another program does. */
    *others(files: Readonly<Record<string, string>>) {
      yield* folder.write(files);
      yield* loaded(() => {
        for (const file of Object.keys(files)) changes.send(folder.file(file));
      });
    },
    /** Writes as the person does in the editor. */
    *saves(file: string, text: string) {
      yield* folder.write({ [file]: text });
      yield* loaded(() => edits.send(folder.file(file)));
    },
    /** Writes as the person does, where the disk is quicker: when the editor tells of it, it waits as if it were another program's. */
    *savesLate(file: string, text: string) {
      yield* folder.write({ [file]: text });
      const goOn = withResolvers<void>();
      holdUp = goOn.operation;
      yield* after(heldUp, () => changes.send(folder.file(file)));
      yield* after(takes, () => edits.send(folder.file(file)));
      // When the next is being taken up, it has been.
      yield* after(takes, () => edits.send(folder.file('next')));
      goOn.resolve();
    },
    allow: () =>
      reload({ changed: new Set(), allowed: new Map(outside().map(({ file, print }) => [file, print])) }),
    asked: () => outside().map(({ file, before }) => [file.slice(folder.path.length + 1), before]),
    *call(name: string): Operation<unknown> {
      const tool = registry.get(name)?.tool;
      return tool ? yield* runBare(tool) : 'none';
    },
  };
}

describe('a tool file that the person saves', () => {
  test('runs, also where the disk tells of it first and it is being looked at', () =>
    run(function* () {
      const { savesLate, call } = yield* opened({ [A]: toolSource('a', '1') });
      yield* savesLate(A, toolSource('a', '2'));
      yield* until(expect.poll(() => run(() => call('a'))).toBe(2));
    }));
});

describe('a tool file that another program writes', () => {
  test('does not run, whoever calls its tool; it does once the person has allowed it', () =>
    run(function* () {
      const { folder, others, need, catchUp, allow, asked, call } = yield* opened({
        [A]: toolSource('a', '1'),
      });
      yield* others({ [A]: toolSource('a', '2'), [B]: toolSource('b', '2') });
      yield* need(folder.file(A));
      yield* catchUp(folder.file(A));
      expect([yield* call('a'), yield* call('b')]).toEqual([1, 'none']);
      expect(asked()).toEqual([
        [A, toolSource('a', '1')],
        [B, undefined],
      ]);
      yield* allow();
      expect([yield* call('a'), yield* call('b'), asked()]).toEqual([2, 2, []]);
      yield* others({ [A]: toolSource('a', '3') });
      expect([yield* call('a'), asked()]).toEqual([2, [[A, toolSource('a', '2')]]]);
    }));

  test('does not run as it was written after it had been shown', () =>
    run(function* () {
      const { folder, others, reload, outside, call } = yield* opened({ [A]: toolSource('a', '1') });
      yield* others({ [A]: toolSource('a', '2') });
      const allowed = new Map(outside().map(({ file, print }) => [file, print]));
      yield* folder.write({ [A]: toolSource('a', '3') });
      yield* reload({ allowed });
      expect(yield* call('a')).toBe(1);
      expect(outside()).toHaveLength(1);
    }));

  test('runs when the person saves it, and Reload Tools runs everything', () =>
    run(function* () {
      const { others, saves, reload, call } = yield* opened({ [A]: toolSource('a', '1') });
      yield* others({ [A]: toolSource('a', '2'), [B]: toolSource('b', '2') });
      yield* saves(A, toolSource('a', '3'));
      expect([yield* call('a'), yield* call('b')]).toEqual([3, 'none']);
      yield* reload({ release: 'all' });
      expect(yield* call('b')).toBe(2);
    }));

  test('runs where the person trusts whoever writes, until the window closes', () =>
    run(function* () {
      const { others, reload, asked, call, folder, catchUp } = yield* opened({ [A]: toolSource('a', '1') });
      yield* others({ [A]: toolSource('a', '2') });
      yield* reload({ trust: true, changed: new Set() });
      expect(yield* call('a')).toBe(2);
      yield* folder.write({ [A]: toolSource('a', '33') });
      yield* catchUp(folder.file(A));
      expect([yield* call('a'), asked()]).toEqual([33, []]);
    }));
});

describe('a file that a tool imports', () => {
  test('that another program writes holds its tools, also when the person saves one of them', () =>
    run(function* () {
      const at = { [A]: withHelper('a'), [B]: withHelper('b'), [HELPER]: helper(1) };
      const { others, saves, asked, call } = yield* opened(at);
      yield* others({ [HELPER]: helper(2) });
      expect([yield* call('a'), asked()]).toEqual([1, [[HELPER, helper(1)]]]);
      yield* saves(A, withHelper('a', '10'));
      expect([yield* call('a'), yield* call('b')]).toEqual([1, 1]);
      yield* saves(HELPER, helper(3));
      expect([yield* call('a'), yield* call('b'), asked()]).toEqual([13, 3, []]);
    }));

  test('is held though it is imported only later, unless it was there already or the person wrote it', () =>
    run(function* () {
      const { folder, edits, saves, asked, call } = yield* opened({
        [A]: toolSource('a', '1'),
        [HELPER]: helper(5),
      });
      yield* saves(A, withHelper('a'));
      expect(yield* call('a')).toBe(5);
      yield* folder.write({ 'lib/own.ts': helper(6) });
      edits.send(folder.file('lib/own.ts'));
      yield* saves(A, withHelper('a').replace('helper.ts', 'own.ts'));
      expect(yield* call('a')).toBe(6);
      yield* folder.write({ 'lib/theirs.ts': helper(7) });
      yield* saves(A, withHelper('a').replace('helper.ts', 'theirs.ts'));
      expect([yield* call('a'), asked()]).toEqual([6, [['lib/theirs.ts', undefined]]]);
    }));

  test('is held in a package, too, for whoever needs that package', () =>
    run(function* () {
      const { others, saves, asked, call } = yield* opened({
        [A]: toolSource('a', 'n', "import { n } from 'dep';"),
        [B]: toolSource('b', '1'),
        [PACKAGE]: helper(1),
      });
      yield* others({ [PACKAGE]: helper(2) });
      expect([yield* call('a'), asked()]).toEqual([1, [[PACKAGE, undefined]]]);
      yield* saves(B, toolSource('b', '2'));
      expect(yield* call('b')).toBe(2);
    }));
});

describe('a window that opens', () => {
  test('runs what is there, but for what an earlier one was not allowed to run', () =>
    run(function* () {
      const at = { [A]: toolSource('a', '1'), [B]: toolSource('b', '1') };
      const { asked, allow, call, notAllowed } = yield* opened(at, A);
      expect([yield* call('a'), yield* call('b'), asked()]).toEqual(['none', 1, [[A, undefined]]]);
      yield* allow();
      expect([yield* call('a'), notAllowed()]).toEqual([1, []]);
    }));

  test('leaves to the next one what it was not allowed to run', () =>
    run(function* () {
      const { folder, others, notAllowed } = yield* opened({ [A]: toolSource('a', '1') });
      yield* others({ [A]: toolSource('a', '2') });
      expect(notAllowed()).toEqual([folder.file(A)]);
    }));
});
