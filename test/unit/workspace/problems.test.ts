import { symlink } from 'node:fs/promises';
import { run, until } from 'effection';
import { describe, expect, test } from 'vitest';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const service = sharedEsbuild();
const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';
const HELP = '.parley/tools/help.ts';

describe('a broken file', () => {
  test('keeps its last good version and shows its error, while others go on; mending clears it', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', '1'),
        [B]: toolSource('b', '1'),
      });
      yield* folder.write({ [A]: "const ä = 'é';  const = 2;\n", [B]: toolSource('b', '2') });
      yield* reload();
      expect(registry.problems()).toEqual([
        {
          kind: 'build',
          severity: 'error',
          file: folder.file(A),
          line: 1,
          column: 23,
          length: 1,
          message: 'Expected identifier but found "="',
        },
      ]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(1);
      expect(yield* runBare(registry.get('b')?.tool)).toBe(2);

      yield* folder.write({ [A]: toolSource('a', '3') });
      yield* reload();
      expect(registry.problems()).toEqual([]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(3);
    }));

  test('is said to be broken, and nothing else, also beside a package of ES modules', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, {
        '.parley/package.json': '{ "type": "module" }',
        [A]: 'export const = 1',
        [B]: toolSource('b', '1', "import './a.ts';"),
      });
      expect(registry.problems().map(({ severity, file }) => [severity, file.endsWith(A)])).toEqual([
        ['error', true],
      ]);
    }));

  test('with a plugin that lacks its .build() says so: its tool alone would ask with forms', () =>
    run(function* () {
      const built = (end: string) =>
        toolSource('a') +
        `\nimport { makePlugin } from 'parley-mcp';\nexport const plugin = makePlugin(tool).onElicit({})${end};\n`;
      const { folder, registry, reload } = yield* useLoadedFolder(service, { [A]: built('') });
      expect(registry.problems()).toMatchObject([
        {
          kind: 'definition',
          severity: 'error',
          message: "plugin of tool 'a': the export 'plugin' is not built: end it with .build()",
        },
      ]);
      yield* folder.write({ [A]: built('.build()') });
      yield* reload();
      expect(registry.problems()).toEqual([]);
      expect(registry.list().map(({ name }) => name)).toEqual(['a']);
    }));

  test('that was never good is not there, and is when it is mended', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: 'export const = 1',
        [B]: toolSource('b'),
      });
      expect(registry.list().map(({ name }) => name)).toEqual(['b']);
      yield* folder.write({ [A]: toolSource('a') });
      yield* reload();
      expect(registry.list().map(({ name }) => name)).toEqual(['a', 'b']);
      expect(registry.problems()).toEqual([]);
    }));

  test('costs the tools that need it their update, and nobody else', () =>
    run(function* () {
      const uses = "import { help } from './help.ts';";
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', 'help(1)', uses),
        [B]: toolSource('b', '1'),
        [HELP]: 'export const help = (n: number) => n;',
      });
      yield* folder.write({
        [HELP]: 'export const help = (n: number) => { return n * ; };',
        [A]: toolSource('a', 'help(2)', uses),
        [B]: toolSource('b', '2'),
      });
      yield* reload();
      expect(registry.problems()).toMatchObject([
        { kind: 'build', file: folder.file(HELP), line: 1, column: 49 },
      ]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(1);
      expect(yield* runBare(registry.get('b')?.tool)).toBe(2);
    }));

  test('is also one whose import leads nowhere, or names what is not exported', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', 'gone', "import { gone } from 'not-installed';"),
        [B]: toolSource('b', 'help', "import { hepl as help } from './help.ts';"),
        [HELP]: 'export const help = 1;',
      });
      expect(registry.problems()).toMatchObject([
        {
          file: folder.file(A),
          line: 3,
          column: 22,
          message:
            'Could not resolve "not-installed": correct the name, or install the package: npm install not-installed',
        },
        { file: folder.file(B), line: 3, column: 10, message: expect.stringContaining('"hepl"') },
      ]);
      yield* folder.write({
        'node_modules/not-installed/index.js': 'exports.gone = 7;',
        [HELP]: 'export const hepl = 8;',
      });
      yield* reload();
      expect(registry.problems()).toEqual([]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(7);
      expect(yield* runBare(registry.get('b')?.tool)).toBe(8);
    }));

  test.each([
    [
      "import { createMcpServer } from 'parley-mcp/server'; createMcpServer;",
      "'parley-mcp/server' serves tools",
    ],
    [
      "import { createChatEngine } from 'parley-mcp/chat'; createChatEngine;",
      "'parley-mcp/chat' holds conversations",
    ],
    ["import { x } from 'parley-mcp/tools'; x;", "tools import from 'parley-mcp'"],
    ["import { x } from '@a/b/c'; x;", 'npm install @a/b'],
  ])('is one with %s', (line, message) =>
    run(function* () {
      const { folder, registry } = yield* useLoadedFolder(service, {
        [A]: `${toolSource('a')}\n${line}\nexport {};`,
        [B]: toolSource('b'),
      });
      expect(registry.problems()).toMatchObject([
        { file: folder.file(A), line: 12, message: expect.stringContaining(message) },
      ]);
      expect(registry.list().map(({ name }) => name)).toEqual(['b']);
    }),
  );
});

describe('a file that throws while it is loaded', () => {
  test('is shown at the line of its author that threw, and keeps its last good version', () =>
    run(function* () {
      const uses = "import { check } from './help.ts';\nconst limit: number = 3;\ncheck(limit);";
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', 'limit', uses),
        [HELP]: 'export function check(n: number): void {}',
      });
      yield* folder.write({
        [HELP]:
          "type Limit = number;\n\nexport function check(n: Limit): void {\n  if (n > 2) throw new RangeError('too much');\n}",
      });
      yield* reload();
      expect(registry.problems()).toEqual([
        {
          kind: 'load',
          severity: 'error',
          file: folder.file(HELP),
          line: 4,
          column: 20,
          length: 0,
          message: 'RangeError: too much (while the file was loaded)',
        },
      ]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(3);
    }));

  test('does so whatever it throws', () =>
    run(function* () {
      const { folder, registry } = yield* useLoadedFolder(service, {
        [A]: `${toolSource('a')}\nthrow undefined;`,
        [B]: toolSource('b'),
      });
      expect(registry.problems()).toMatchObject([{ kind: 'load', file: folder.file(A) }]);
      expect(registry.list().map(({ name }) => name)).toEqual(['b']);
    }));
});

describe('a wrong definition', () => {
  test('is shown at the property it is about', () =>
    run(function* () {
      const { folder, registry } = yield* useLoadedFolder(service, {
        [A]: `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';

export const tool = createMcpTool('a')
  .description('A tool of a test.')
  .parameters(z.object({ seat: z.string() }))
  .elicits({
    pickFlight: z.object({ seat: z.string() }),
    pickSeat: z.object({
      row: z.number(),
      seat: z.object({ letter: z.string() }),
    }),
  } as never)
  .execute(function* () {});
`,
      });
      expect(registry.problems()).toMatchObject([
        { kind: 'definition', file: folder.file(A), line: 11, column: 7, length: 4 },
      ]);
      expect(registry.problems()[0]?.message).toMatch(/pickSeat.*'a'.*seat/s);
    }));

  test('is shown at the call that refused it where there is no property', () =>
    run(function* () {
      const { folder, registry } = yield* useLoadedFolder(service, {
        [A]: toolSource('a').replace("'A tool of a test.'", "''"),
      });
      expect(registry.problems()).toMatchObject([
        { kind: 'definition', file: folder.file(A), line: 5, column: 4 },
      ]);
    }));
});

describe('a name that two files use', () => {
  test('belongs to the first, and the second is told of both', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('same', '1'),
        [B]: toolSource('same', '2'),
      });
      expect(yield* runBare(registry.get('same')?.tool)).toBe(1);
      expect(registry.problems()).toMatchObject([
        {
          kind: 'duplicate',
          file: folder.file(B),
          line: 4,
          message: expect.stringContaining(`because ${A} already`),
          related: [{ file: folder.file(A), line: 4 }],
        },
      ]);
      yield* folder.write({ [B]: toolSource('other', '2') });
      yield* reload();
      expect(registry.problems()).toEqual([]);
    }));
});

describe('the stack of an error that a tool throws', () => {
  test('points into the author’s files', () =>
    run(function* () {
      const { folder, registry, stackMaps } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', 'fail()', "import { fail } from './help.ts';"),
        [HELP]: "interface Nothing {}\n\nexport function fail(): never {\n  throw new Error('no');\n}",
      });
      const error = yield* thrownBy(registry.get('a')?.tool);
      const [first, second, ...others] = stackMaps.frames(error.stack ?? '');
      expect(first?.text).toContain(`${folder.file(HELP)}:4:9`);
      expect(first?.place).toEqual({ file: folder.file(HELP), line: 4, column: 9 });
      expect(second?.text).toContain(`${folder.file(A)}:9:12`);
      expect(others.length).toBeGreaterThan(0);
      expect(
        others.filter(({ place }) => place),
        'frames of Parley and its libraries',
      ).toEqual([]);
      expect(stackMaps.placeOf(error.stack ?? '')).toEqual({ file: folder.file(HELP), line: 4, column: 9 });
    }));
});

function* thrownBy(tool: Parameters<typeof runBare>[0]) {
  try {
    yield* runBare(tool);
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('it did not throw');
}

describe('a link among the tools', () => {
  test.skipIf(process.platform === 'win32')(
    'is not followed, and says so where it leads to tools; a file may export what is behind it',
    () =>
      run(function* () {
        const { folder, registry, reload } = yield* useLoadedFolder(service, {
          'shared/linked.ts': toolSource('linked'),
          'shared/notes.md': 'notes',
          [A]: toolSource('a'),
        });
        const tools = folder.file('.parley/tools');
        const links = {
          'linked.ts': 'shared/linked.ts',
          'notes.md': 'shared/notes.md',
          loop: '.parley',
          lost: 'x',
        };
        for (const [name, to] of Object.entries(links))
          yield* until(symlink(folder.file(to), `${tools}/${name}`));
        yield* reload();
        const told = registry.problems();
        expect(told.map(({ file, severity }) => [file, severity])).toEqual([
          [`${tools}/linked.ts`, 'warning'],
          [`${tools}/loop`, 'warning'],
        ]);
        expect(told[0]?.message).toContain('Links are not followed');
        expect(registry.list().map(({ name }) => name)).toEqual(['a']);

        yield* folder.write({ [B]: "export * from '../../shared/linked.ts';" });
        yield* reload();
        expect(registry.list().map(({ name }) => name)).toEqual(['a', 'linked']);
      }),
  );

  test.skipIf(process.platform === 'win32')('is told of also where there is no tool file at all', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        'shared/linked.ts': toolSource('linked'),
        '.parley/tools/notes.md': '',
      });
      yield* until(symlink(folder.file('shared'), folder.file('.parley/tools/shared')));
      yield* reload();
      expect(registry.problems()).toHaveLength(1);
    }),
  );
});
