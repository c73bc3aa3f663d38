import { utimes } from 'node:fs/promises';
import { type Operation, run, until } from 'effection';
import * as esbuild from 'esbuild';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EsbuildService } from '#src/workspace/bundler/esbuild-service.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const file = (name: string) => `.parley/tools/${name}.ts`;
const HELPER = '.parley/tools/lib/help.ts';
const HELPED = "import { help } from './lib/help.ts';";

/** Tools that share nothing, and two that share a helper. */
const FILES = {
  ...Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [file(name), toolSource(name)])),
  [file('g')]: toolSource('g', "help('g')", HELPED),
  [file('h')]: toolSource('h', "help('h')", HELPED),
  [HELPER]: "export const help = (text: string) => 'helped ' + text;",
};

/** A folder, and how many of its files the bundler went through in the last load. */
function* inFolder(files: Readonly<Record<string, string>> = FILES) {
  const builds: number[] = [];
  const service: EsbuildService = {
    ...sharedEsbuild(),
    api: () => ({
      ...esbuild,
      async context(options) {
        const context = await esbuild.context(options);
        const rebuild = async () => {
          const result = await context.rebuild();
          const inputs = Object.keys(result.metafile?.inputs ?? {});
          builds.push(inputs.filter((input) => !input.startsWith('parley:')).length);
          return result;
        };
        // The same context but for one method.
        return { ...context, rebuild } as never;
      },
    }),
  };
  const loaded = yield* useLoadedFolder(service, files);
  const { folder, registry, reload } = loaded;
  /** Writes files, and says which have changed. */
  function* save(written: Readonly<Record<string, string>>, ...more: string[]): Operation<number> {
    yield* folder.write(written);
    for (const name of Object.keys(written)) yield* folder.age(name);
    builds.length = 0;
    yield* reload({ changed: new Set([...Object.keys(written), ...more].map((name) => folder.file(name))) });
    return builds.reduce((sum, count) => sum + count, 0);
  }
  const call = (name: string) => runBare(registry.get(name)?.tool);
  return { ...loaded, save, call };
}

/** As many as there are in all. */
const ALL = Object.keys(FILES).length;

describe('a save among many files', () => {
  test('says of a verb without yield* that it does nothing, at its line, also in a helper; mending clears it', () =>
    run(function* () {
      const { folder, registry, save } = yield* inFolder();
      const help = (log: string) =>
        `export function* help(ctx) {\n  if (ctx.depth) ${log}ctx.log('info', 'x');\n}`;
      yield* save({ [HELPER]: help('') });
      expect(registry.problems()).toEqual([
        {
          kind: 'forgotten',
          severity: 'warning',
          file: folder.file(HELPER),
          line: 2,
          column: 18,
          length: 7,
          message: 'ctx.log(…) does nothing without `yield*`: write `yield* ctx.log(…)`',
        },
      ]);
      yield* save({ [HELPER]: help('yield* ') });
      expect(registry.problems()).toEqual([]);
      // Where there was none, too: a part of the folder would be built.
      yield* save({ [file('a')]: toolSource('a', "((ctx) => { ctx.notify('x'); })({ notify() {} })") });
      expect(registry.problems()).toMatchObject([{ kind: 'forgotten', file: folder.file(file('a')) }]);
    }));

  test('builds what has changed, and nothing else', () =>
    run(function* () {
      const { save, call, registry } = yield* inFolder();
      const before = registry.get('b')?.tool;
      expect(yield* save({ [file('a')]: toolSource('a', "'new'") })).toBe(1);
      expect(yield* call('a')).toBe('new');
      expect(registry.get('b')?.tool).toBe(before);
      expect(registry.list()).toHaveLength(8);
      // And once more, on top of that.
      expect(yield* save({ [file('a')]: toolSource('a', "'newer'") })).toBe(1);
      expect(
        yield* save({ [file('c')]: toolSource('c', "'c2'"), [file('d')]: toolSource('d', "'d2'") }),
      ).toBe(2);
      expect([yield* call('a'), yield* call('c'), yield* call('d'), yield* call('e')]).toEqual([
        'newer',
        'c2',
        'd2',
        'e',
      ]);
    }));

  test('builds all that share the file that has changed', () =>
    run(function* () {
      const { save, call } = yield* inFolder();
      expect(yield* save({ [HELPER]: "export const help = (text: string) => 'better ' + text;" })).toBe(3);
      expect([yield* call('g'), yield* call('h'), yield* call('a')]).toEqual(['better g', 'better h', 'a']);
      expect(yield* save({ [file('g')]: toolSource('g', "help('G')", HELPED) })).toBe(3);
      expect([yield* call('g'), yield* call('h')]).toEqual(['better G', 'better h']);
    }));

  test('a file that an editor writes beside it on the way is no reason to build more', () =>
    run(function* () {
      const { save } = yield* inFolder();
      expect(yield* save({ [file('a')]: toolSource('a', "'new'") }, `${file('a')}.tmp.1`)).toBe(1);
    }));
});

describe('everything is built when', () => {
  test('the file uses what another one uses from now on', () =>
    run(function* () {
      const { save, call } = yield* inFolder();
      expect(yield* save({ [file('a')]: toolSource('a', "help('a')", HELPED) })).toBeGreaterThanOrEqual(ALL);
      expect([yield* call('a'), yield* call('g')]).toEqual(['helped a', 'helped g']);
      // From then on they are one part.
      expect(yield* save({ [file('h')]: toolSource('h', "help('H')", HELPED) })).toBe(4);
    }));

  test('a file comes, goes or is renamed', () =>
    run(function* () {
      const { save, call, folder, registry } = yield* inFolder();
      expect(yield* save({ [file('i')]: toolSource('i') })).toBe(ALL + 1);
      expect(yield* call('i')).toBe('i');
      yield* folder.remove(file('b'));
      expect(yield* save({}, file('b'))).toBe(ALL);
      expect(registry.get('b')).toBeUndefined();
    }));

  test('it is broken, and when it is mended', () =>
    run(function* () {
      const { save, call, registry } = yield* inFolder();
      expect(yield* save({ [file('a')]: 'export const = ;' })).toBeGreaterThanOrEqual(ALL);
      expect(registry.problems()).toMatchObject([{ severity: 'error' }]);
      expect(yield* call('a')).toBe('a');
      expect(yield* save({ [file('a')]: toolSource('a', "'mended'") })).toBe(ALL);
      expect(registry.problems()).toEqual([]);
      expect(yield* call('a')).toBe('mended');
      expect(yield* save({ [file('a')]: toolSource('a', "'again'") })).toBe(1);
    }));

  test('another file has changed, of which nobody has told', () =>
    run(function* () {
      const { folder, save, call } = yield* inFolder();
      yield* folder.write({ [file('b')]: toolSource('b', "'untold'") });
      expect(yield* save({ [file('a')]: toolSource('a', "'told'") })).toBe(ALL);
      expect([yield* call('a'), yield* call('b')]).toEqual(['told', 'untold']);
    }));

  test('a file may have changed while it was built', () =>
    run(function* () {
      const { folder, save, call, reload } = yield* inFolder();
      yield* until(utimes(folder.file(file('b')), new Date(), new Date(Date.now() + 60_000)));
      yield* reload();
      expect(yield* save({ [file('a')]: toolSource('a', "'new'") })).toBe(ALL);
      expect(yield* call('a')).toBe('new');
    }));

  test('something has changed that no tool is made of, such as the configuration', () =>
    run(function* () {
      const { save, call } = yield* inFolder({
        ...FILES,
        'src/one.ts': "export const one = 'one';",
        'src/two.ts': "export const one = 'two';",
        'tsconfig.json': '{ "compilerOptions": { "paths": { "#it": ["./src/one.ts"] } } }',
        [file('p')]: toolSource('p', 'one', "import { one } from '#it';"),
      });
      expect(yield* call('p')).toBe('one');
      const paths = '{ "compilerOptions": { "paths": { "#it": ["./src/two.ts"] } } }';
      expect(yield* save({ 'tsconfig.json': paths })).toBeGreaterThan(ALL);
      expect(yield* call('p')).toBe('two');
    }));

  test('it has a view, or a view uses it', () =>
    run(function* () {
      const { save, call, registry } = yield* inFolder({
        ...FILES,
        '.parley/tools/seat.view.tsx':
          "import { row } from './lib/row.ts';\nexport const Seat = () => <b>{row}</b>;",
        '.parley/tools/lib/row.ts': "export const row = '1';",
        [file('v')]: toolSource('v', 'Seat', "import { Seat } from './seat.view.tsx';"),
        [file('r')]: toolSource('r', 'row', "import { row } from './lib/row.ts';"),
      });
      const bundle = () => registry.viewsOf('v')?.hash;
      const first = bundle();
      yield* save({ '.parley/tools/seat.view.tsx': 'export const Seat = () => <b>2</b>;' });
      const second = bundle();
      expect(second).not.toBe(first);
      yield* save({
        '.parley/tools/seat.view.tsx': "import { row } from './lib/row.ts';\nexport const Seat = () => row;",
      });
      const third = bundle();
      yield* save({ '.parley/tools/lib/row.ts': "export const row = '2';" });
      expect(new Set([first, second, third, bundle()]).size).toBe(4);
      expect(yield* call('r')).toBe('2');
      // The others are as quick as ever, and keep the views.
      const last = bundle();
      expect(yield* save({ [file('a')]: toolSource('a', "'new'") })).toBe(1);
      expect(bundle()).toBe(last);
      expect(yield* call('v')).toMatchObject({ key: expect.stringContaining(last ?? '-') });
    }));
});

test('after any saves the tools are those of the files', { timeout: 60_000 }, () =>
  fc.assert(
    fc.asyncProperty(
      fc.array(
        fc.record({
          name: fc.constantFrom('a', 'b', 'c', 'd', 'g', 'h'),
          what: fc.constantFrom('plain', 'helped', 'broken', 'gone'),
        }),
        { maxLength: 8 },
      ),
      (saves) =>
        run(function* () {
          const { folder, save, call, registry } = yield* inFolder();
          const expected = new Map<string, unknown>();
          for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) expected.set(name, name);
          for (const name of ['g', 'h']) expected.set(name, `helped ${name}`);
          for (const [index, { name, what }] of saves.entries()) {
            const path = file(name);
            if (what === 'gone') {
              if (expected.has(name) || registry.problems().length > 0) {
                yield* folder.write({ [path]: '' });
                yield* folder.remove(path);
              }
              yield* save({}, path);
              expected.delete(name);
            } else {
              const text = {
                plain: toolSource(name, `'${name} ${index}'`),
                helped: toolSource(name, `help('${name} ${index}')`, HELPED),
                broken: 'export const = ;',
              }[what];
              yield* save({ [path]: text });
              if (what === 'plain') expected.set(name, `${name} ${index}`);
              if (what === 'helped') expected.set(name, `helped ${name} ${index}`);
            }
            const found = new Map<string, unknown>();
            for (const { tool } of registry.list()) found.set(tool.name, yield* call(tool.name));
            expect([...found].sort()).toEqual([...expected].sort());
          }
        }),
    ),
    { numRuns: 15 },
  ),
);
