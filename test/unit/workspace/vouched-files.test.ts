import { createSignal, run, scoped } from 'effection';
import { describe, expect, test } from 'vitest';
import { createHostRealm } from '#src/workspace/load/host-realm.ts';
import type { UseRealm } from '#src/workspace/load/tool-realm.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';

/** A folder with two tools, whose realm puts a file where it wants to be once somebody vouches for it. */
function* opened() {
  const edits = createSignal<string, void>();
  const loads: string[][] = [];
  const trouble: { next?: Error } = {};
  const useRealm: UseRealm = function* (options) {
    const here = createHostRealm(options);
    return {
      *load(input) {
        const { next } = trouble;
        delete trouble.next;
        if (next) throw next;
        const vouched = input.vouched ?? new Set();
        loads.push([...vouched].map((path) => path.slice(-4)));
        return new Map(
          [...(yield* here.load(input))].map(([path, file]) => [
            path,
            file.kind === 'loaded' ? { ...file, displaced: !vouched.has(path) } : file,
          ]),
        );
      },
    };
  };
  const files = { [A]: toolSource('a', '1'), [B]: toolSource('b', '1') };
  const folder = yield* useLoadedFolder(sharedEsbuild(), files, { useRealm, edits });
  return { ...folder, edits, loads, trouble };
}

describe('a folder that has just been opened', () => {
  test('vouches for none of its files', () =>
    run(() =>
      scoped(function* () {
        const { loads } = yield* opened();
        expect(loads.flat()).toEqual([]);
      }),
    ));

  test('has a file put where it wants to be with its first use, once', () =>
    run(() =>
      scoped(function* () {
        const { folder, need, loads } = yield* opened();
        const before = loads.length;
        yield* need(folder.file(A));
        expect(loads.slice(before)).toEqual([['a.ts']]);
        yield* need(folder.file(A));
        expect(loads.length).toBe(before + 1);
        yield* need(folder.file(B));
        expect(loads.at(-1)?.sort()).toEqual(['a.ts', 'b.ts']);
      }),
    ));
});

describe('a file that somebody is about to use', () => {
  test('is loaded as it is now, also where nobody has told of the change', () =>
    run(() =>
      scoped(function* () {
        const { folder, need, registry } = yield* opened();
        const value = function* () {
          yield* need(folder.file(A));
          return yield* runBare(registry.get('a')?.tool);
        };
        expect(yield* value()).toBe(1);
        yield* folder.write({ [A]: toolSource('a', '22') });
        expect(yield* value()).toBe(22);
        yield* folder.write({
          [A]: `import { n } from '../n.ts';\n${toolSource('a', 'n')}`,
          '.parley/n.ts': 'export const n = 3;',
        });
        expect(yield* value()).toBe(3);
        yield* folder.write({ '.parley/n.ts': 'export const n = 44;' });
        expect(yield* value()).toBe(44);
      }),
    ));

  test('is loaded with its next use where a load came to nothing', () =>
    run(() =>
      scoped(function* () {
        const { folder, need, registry, trouble } = yield* opened();
        yield* need(folder.file(A));
        yield* folder.write({ [A]: toolSource('a', '22') });
        trouble.next = new Error('too many open files');
        yield* need(folder.file(A));
        expect(yield* runBare(registry.get('a')?.tool)).toBe(1);
        yield* need(folder.file(A));
        expect(yield* runBare(registry.get('a')?.tool)).toBe(22);
      }),
    ));

  test('is not loaded again where it is as it was, nor again and again where it cannot be', () =>
    run(() =>
      scoped(function* () {
        const { folder, need, loads } = yield* opened();
        yield* need(folder.file(A));
        const before = loads.length;
        yield* need(folder.file(A));
        expect(loads.length).toBe(before);
        yield* folder.write({ [A]: toolSource('a', '(') });
        yield* folder.age(A);
        yield* need(folder.file(A));
        const failed = loads.length;
        expect(failed).toBe(before + 1);
        yield* need(folder.file(A));
        expect(loads.length).toBe(failed);
      }),
    ));
});
