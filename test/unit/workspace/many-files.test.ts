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
      const runs = { count: 0 };
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
      const stall = watchEventLoop();
      const { milliseconds } = yield* reload();
      const longest = stall();
      expect(runs.count).toBe(COUNT + 1);
      expect(yield* runBare(registry.get('tool_7')?.tool)).toBe(1001);
      expect(registry.get('tool_8')?.tool).toBe(before);

      // While the files are loaded for the first time others get their turn: no stretch is as long as the whole.
      yield* folder.write({ '.parley/tools/lib/help.ts': 'export const help = (n: number) => n + 1;' });
      const stallOfAll = watchEventLoop();
      const all = yield* reload();
      const longestOfAll = stallOfAll();
      expect(runs.count).toBe(2 * COUNT + 1);
      expect(yield* runBare(registry.get('tool_8')?.tool)).toBe(10);
      expect(longestOfAll).toBeLessThan(all.milliseconds / 2);
      console.info(
        `one file of ${COUNT}: ${milliseconds.toFixed(0)} ms, longest stall ${longest.toFixed(0)} ms; ` +
          `all of them: ${all.milliseconds.toFixed(0)} ms, longest stall ${longestOfAll.toFixed(0)} ms`,
      );
    }),
);

/** Measures the longest time that the event loop was kept busy, until it is asked. */
function watchEventLoop(): () => number {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  return () => {
    clearInterval(timer);
    return longest;
  };
}
