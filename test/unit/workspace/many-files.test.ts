import { run } from 'effection';
import { expect, test } from 'vitest';
import { useEsbuild } from '#src/workspace/bundler/esbuild-service.ts';
import { toolSource } from './folder-fixture.ts';
import { ESBUILD_DIR, runBare, useLoadedFolder } from './workspace-fixture.ts';

const COUNT = 200;

const file = (index: number) => `.parley/tools/group-${index % 10}/tool-${index}.ts`;
const source = (index: number, result: string) =>
  toolSource(
    `tool_${index}`,
    `${result} + help(1)`,
    `import { help } from '../lib/help.ts';\nconst runs = (globalThis as any).parleyManyRuns; runs.count++;`,
  );

test(
  'two hundred tool files: a save runs one of them, and leaves the event loop alone',
  { timeout: 240_000 },
  () =>
    run(function* () {
      const service = yield* useEsbuild({ dir: ESBUILD_DIR });
      const runs = countTurns();
      Object.assign(globalThis, { parleyManyRuns: runs });
      const files = Object.fromEntries(
        Array.from({ length: COUNT }, (_, i) => [file(i), source(i, String(i))]),
      );
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        ...files,
        '.parley/tools/lib/help.ts': 'export const help = (n: number) => n;',
      });
      expect(registry.list()).toHaveLength(COUNT);
      expect(registry.problems()).toEqual([]);
      expect(runs.count).toBe(COUNT);

      yield* folder.write({ [file(7)]: source(7, '1000') });
      const before = registry.get('tool_8')?.tool;
      yield* reload();
      expect(runs.count).toBe(COUNT + 1);
      expect(yield* runBare(registry.get('tool_7')?.tool)).toBe(1001);
      expect(registry.get('tool_8')?.tool).toBe(before);

      // While the files are loaded for the first time others get their turn: no stretch is as long as the whole.
      yield* folder.write({ '.parley/tools/lib/help.ts': 'export const help = (n: number) => n + 1;' });
      runs.inTurn.clear();
      yield* reload();
      expect(runs.count).toBe(2 * COUNT + 1);
      expect(yield* runBare(registry.get('tool_8')?.tool)).toBe(10);
      expect(Math.max(...runs.inTurn.values())).toBeLessThan(COUNT / 2);
      runs.stop();
    }),
);

/** Counts how often code of the files was run, and that in each turn of the event loop. */
function countTurns() {
  let count = 0;
  let turn = 0;
  const inTurn = new Map<number, number>();
  let next: NodeJS.Immediate;
  const tick = () => {
    turn += 1;
    next = setImmediate(tick);
  };
  tick();
  return {
    get count() {
      return count;
    },
    set count(many) {
      count = many;
      inTurn.set(turn, (inTurn.get(turn) ?? 0) + 1);
    },
    inTurn,
    stop: () => clearImmediate(next),
  };
}
