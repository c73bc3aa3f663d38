import { utimesSync, writeFileSync } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { createSignal, type Operation, run, spawn, until, withResolvers } from 'effection';
import { describe, expect, test } from 'vitest';
import type { AnyTool } from '#src/core/tool/tool.ts';
import type { LoadReport } from '#src/workspace/load/use-workspace-tools.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';

/** A folder with these files, of whose changes nobody tells unless a test does. */
function* folderWith(
  files: Readonly<Record<string, string>>,
  onLoad: (report: LoadReport) => void = () => {},
) {
  const changes = createSignal<string, never>();
  const loaded = yield* useLoadedFolder(sharedEsbuild(), files, { changes, onLoad });
  const { folder, registry, catchUp } = loaded;
  return {
    ...loaded,
    tell: (...names: string[]) => {
      for (const name of names) changes.send(folder.file(name));
    },
    /** Puts a whole file in place: one that is written is empty for a moment. */
    *save(name: string, text: string): Operation<void> {
      yield* folder.write({ 'being-written': text });
      yield* until(rename(folder.file('being-written'), folder.file(name)));
    },
    /** What a tool gives to whoever calls it now, as an agent does that knows its name. */
    *call(name: string): Operation<unknown> {
      yield* catchUp(registry.get(name)?.place?.file);
      const tool = registry.get(name)?.tool;
      return tool ? yield* runBare(tool) : 'none';
    },
  };
}

describe('whoever calls a tool that was written a moment ago, before anybody has told of it', () => {
  test('gets it where its file was not there before, and where its file has got another tool', () =>
    run(function* () {
      const { folder, call } = yield* folderWith({ [A]: toolSource('a', '1') });
      yield* folder.write({ [B]: toolSource('b', '2') });
      expect(yield* call('b')).toBe(2);
      const more = toolSource('c', '3')
        .replace('export const tool', 'export const more')
        .split('\n')
        .slice(3);
      yield* folder.write({ [A]: [toolSource('a', '1'), ...more].join('\n') });
      expect(yield* call('c')).toBe(3);
    }));

  test('gets it where it was broken before, by what it was made of then or by what was missing', () =>
    run(function* () {
      const { folder, call } = yield* folderWith({ [A]: toolSource('a', '1') });
      yield* folder.write({ [A]: 'export const a = ;' });
      expect(yield* call('a')).toBe(1);
      yield* folder.write({ [A]: toolSource('a', 'two', "import { two } from '../../lib/two.ts';") });
      expect(yield* call('a')).toBe(1);
      yield* folder.write({ 'lib/two.ts': 'export const two = 2;' });
      expect(yield* call('a')).toBe(2);
    }));

  test('gets it where its file has another name, and where another has its name', () =>
    run(function* () {
      const { folder, call } = yield* folderWith({ [A]: toolSource('a', '1'), [B]: toolSource('b', '2') });
      yield* until(rename(folder.file(A), folder.file('.parley/tools/elsewhere.ts')));
      expect(yield* call('a')).toBe(1);
      yield* folder.write({ [A]: toolSource('b', '3') });
      yield* folder.remove(B);
      expect(yield* call('b')).toBe(3);
    }));

  test('gets the views of it as they were written, with what only they are made of', () =>
    run(function* () {
      const { folder, registry, call } = yield* folderWith({
        [A]: toolSource('a', 'List', "import { List } from '../views/list.view.tsx';"),
        '.parley/views/list.view.tsx': "import './list.css';\nexport function List() { return 'list'; }",
        '.parley/views/list.css': '.list { color: red; }',
      });
      yield* folder.write({ '.parley/views/list.css': '.list { color: green; }' });
      yield* call('a');
      const { style = '' } = registry.viewsOf('a') ?? {};
      expect(yield* until(readFile(style, 'utf8'))).toContain('green');
    }));
});

describe('a call of a tool', () => {
  test('between two saves, and one after them, each have what was saved by then', () =>
    run(function* () {
      const { save, tell, call } = yield* folderWith({ [A]: toolSource('a', '0') });
      for (let round = 1; round < 10; round += 2) {
        yield* save(A, toolSource('a', `${round}`));
        if (round % 4 === 1) tell(A);
        const between = yield* spawn(() => call('a'));
        yield* save(A, toolSource('a', `${round + 1}`));
        if (round % 4 === 1) tell(A);
        const last = yield* call('a');
        expect([round, round + 1]).toContain(yield* between);
        expect(last).toBe(round + 1);
      }
    }));

  test('that finds its file empty, as it is for a moment while it is written, has what is written', () =>
    run(function* () {
      let goOn = (_: LoadReport) => {};
      const { folder, call } = yield* folderWith({ [A]: toolSource('a', '1') }, (report) => {
        if (report.tools === 0) goOn(report);
      });
      goOn = ({ milliseconds }) => {
        writeFileSync(folder.file(A), toolSource('a', '2'));
        // The clock of a file system ticks a hundred times a second: it may still show a time of before the load.
        const tick = (Date.now() - milliseconds - 9) / 1000;
        utimesSync(folder.file(A), tick, tick);
      };
      yield* folder.write({ [A]: '' });
      expect(yield* call('a')).toBe(2);
    }));

  test('right after a file was broken and mended has what mends it', () =>
    run(function* () {
      const { save, tell, call } = yield* folderWith({ [A]: toolSource('a', '0') });
      for (let round = 1; round < 6; round++) {
        yield* save(A, 'export const a = ;');
        tell(A);
        const broken = yield* spawn(() => call('a'));
        yield* save(A, toolSource('a', `${round}`));
        if (round % 2) tell(A);
        expect(yield* call('a')).toBe(round);
        expect([round - 1, round]).toContain(yield* broken);
      }
    }));

  test('while two hundred files are put in place has its own as it is there', () =>
    run(function* () {
      const names = Array.from({ length: 200 }, (_, at) => `t${at}`);
      const files = (of: (at: number) => string) =>
        Object.fromEntries(names.map((name, at) => [`.parley/tools/${name}.ts`, toolSource(name, of(at))]));
      const { save, tell, call } = yield* folderWith(files(() => '0'));
      const putting = yield* spawn(function* () {
        const next = files((at) => `${at} + 1`);
        for (const [path, text] of Object.entries(next)) {
          yield* save(path, text);
          tell(path);
        }
      });
      expect([0, 200]).toContain(yield* call('t199'));
      yield* putting;
      for (const at of [0, 100, 199]) expect(yield* call(`t${at}`)).toBe(at + 1);
    }));

  test('goes on with the code that it began with when its file is renamed or deleted', () =>
    run(function* () {
      const { folder, registry, call, catchUp } = yield* folderWith({ [A]: toolSource('a', '1') });
      const waits = withResolvers<void>();
      const { tool } = registry.get('a') as { tool: AnyTool };
      const waiting = yield* spawn(function* () {
        yield* waits.operation;
        return yield* runBare(tool);
      });
      yield* folder.remove(A);
      yield* catchUp(folder.file(A));
      expect(yield* call('a')).toBe('none');
      waits.resolve();
      expect(yield* waiting).toBe(1);
    }));
});
