import { run } from 'effection';
import { describe, expect, test } from 'vitest';
import { toolOf } from '#src/core/plugin/offer.ts';
import { codeVersionOf } from '#src/core/world/code-version.ts';
import { toolSource } from './folder-fixture.ts';
import { runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const service = sharedEsbuild();
const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';

const names = (registry: { list(): readonly { name: string }[] }) => registry.list().map(({ name }) => name);

describe('a folder of tools', () => {
  test('offers what its files export, and nothing for helpers, views and tests', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', 'shout("a")', "import { shout } from './lib/shout.ts';"),
        '.parley/tools/lib/shout.ts': 'export const shout = (text: string) => text.toUpperCase();',
        '.parley/tools/a.test.ts': toolSource('not_a_tool'),
        '.parley/tools/types.d.ts': 'declare const x: string;',
        '.parley/tools/deep/er/b.mjs': toolSource('b'),
        '.parley/tools/c.js':
          "const { createMcpTool } = require('parley-mcp'); const z = require('zod');\nmodule.exports = { c: createMcpTool('c').description('c').parameters(z.object({})).elicits({}).execute(function* () { return 'c'; }) };",
        'elsewhere/d.ts': toolSource('d'),
      });
      expect(names(registry)).toEqual(['a', 'c', 'b']);
      expect(yield* runBare(registry.get('a')?.tool)).toBe('A');
      expect(yield* runBare(registry.get('c')?.tool)).toBe('c');
      expect(registry.problems()).toEqual([]);
      expect(registry.get('a')?.source).toMatchObject({ kind: 'workspace', id: 'test' });
      expect(registry.get('a')?.place).toMatchObject({ line: 4 });
    }));

  test('takes more files from globs of the setting, inside the folder only', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(
        service,
        { 'scripts/x.tool.ts': toolSource('x'), 'scripts/y.ts': toolSource('y'), [A]: toolSource('a') },
        { include: () => ['scripts/*.tool.ts', '../**/*.ts'] },
      );
      expect(names(registry)).toEqual(['a', 'x']);
      expect(registry.problems()).toMatchObject([
        { severity: 'warning', message: expect.stringContaining('The glob "../**/*.ts"') },
      ]);
    }));

  test('without tools offers none, and says nothing', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, { 'README.md': '' });
      expect(registry.list()).toEqual([]);
      expect(registry.problems()).toEqual([]);
    }));
});

describe('a save', () => {
  test('replaces the tool; what runs on the old one goes on with it', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, { [A]: toolSource('a', '1') });
      const before = registry.get('a')?.tool;
      yield* folder.write({ [A]: toolSource('a', '2') });
      yield* reload();
      expect(yield* runBare(registry.get('a')?.tool)).toBe(2);
      expect(yield* runBare(before)).toBe(1);
    }));

  test('that changes a tool is another version of its code; one that changes another tool is not', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: toolSource('a', '1'),
        [B]: toolSource('b', '1'),
      });
      const version = (name: string) => {
        const tool = registry.get(name)?.tool;
        return tool && codeVersionOf(toolOf(tool));
      };
      const [a, b] = [version('a'), version('b')];
      yield* folder.write({ [A]: toolSource('a', '2') });
      yield* reload();
      expect(version('b')).toBe(b);
      expect(version('a')).not.toBe(a);
      yield* folder.write({ [A]: toolSource('a', '1') });
      yield* reload();
      expect([a, b, version('a')]).toEqual([expect.any(String), expect.any(String), a]);
    }));

  test('runs the changed file and those that need it, and no other', () =>
    run(function* () {
      const counts: Record<string, number> = {};
      Object.assign(globalThis, { parleyTestRuns: counts });
      const counted = (name: string, imports = '') =>
        toolSource(
          name,
          `'${name}'`,
          `${imports}\nconst runs = (globalThis as any).parleyTestRuns; runs.${name} = (runs.${name} ?? 0) + 1;`,
        );
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: counted('a', "import './shared.ts';"),
        [B]: counted('b', "import './shared.ts';"),
        '.parley/tools/c.ts': counted('c'),
        '.parley/tools/shared.ts':
          'const runs = (globalThis as any).parleyTestRuns; runs.shared = (runs.shared ?? 0) + 1;',
      });
      expect(counts).toEqual({ a: 1, b: 1, c: 1, shared: 1 });
      const [b, c] = [registry.get('b')?.tool, registry.get('c')?.tool];

      yield* folder.write({ [A]: `${counted('a', "import './shared.ts';")}\nexport const more = 1;` });
      yield* reload();
      expect(counts).toEqual({ a: 2, b: 1, c: 1, shared: 1 });
      expect(registry.get('b')?.tool).toBe(b);

      yield* folder.write({ [A]: `${counted('a', "import './shared.ts';")}\nexport const more = 2;` });
      yield* reload();
      expect(counts).toEqual({ a: 3, b: 1, c: 1, shared: 1 });

      yield* folder.write({
        '.parley/tools/shared.ts':
          'const runs = (globalThis as any).parleyTestRuns; runs.shared = (runs.shared ?? 0) + 10;',
      });
      yield* reload();
      expect(counts).toEqual({ a: 4, b: 2, c: 1, shared: 11 });
      expect(registry.get('c')?.tool).toBe(c);
    }));

  test('that changes nothing changes nothing', () =>
    run(function* () {
      const { registry, reload } = yield* useLoadedFolder(service, { [A]: toolSource('a') });
      const { version } = registry;
      yield* reload();
      expect(registry.version).toBe(version);
    }));

  test('may bring, rename and remove files', () =>
    run(function* () {
      const { folder, registry, reload } = yield* useLoadedFolder(service, { [A]: toolSource('a') });
      yield* folder.write({ [B]: toolSource('b') });
      yield* reload();
      expect(names(registry)).toEqual(['a', 'b']);
      yield* folder.remove(A);
      yield* reload();
      expect(names(registry)).toEqual(['b']);
      yield* folder.remove('.parley');
      yield* reload();
      expect(names(registry)).toEqual([]);
      expect(registry.problems()).toEqual([]);
    }));
});

describe('a tool module', () => {
  test('uses packages of the workspace, ES modules and CommonJS, and what Node has', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, {
        'node_modules/greet/package.json': '{ "name": "greet", "type": "module", "exports": "./index.js" }',
        'node_modules/greet/index.js': "export const greet = (who) => 'hello ' + who;",
        'node_modules/old/package.json': '{ "name": "old", "main": "main.js" }',
        'node_modules/old/main.js': "const path = require('path'); exports.base = (p) => path.basename(p);",
        [A]: toolSource(
          'a',
          "[greet(base('/x/you')), sep.length, import.meta.url, __dirname]",
          "import { greet } from 'greet';\nimport { base } from 'old';\nimport { sep } from 'node:path';",
        ),
      });
      expect(registry.problems()).toEqual([]);
      const result = (yield* runBare(registry.get('a')?.tool)) as string[];
      expect(result.slice(0, 2)).toEqual(['hello you', 1]);
      expect(result[2]).toMatch(/^file:\/\/\/.*\/\.parley\/tools\/a\.ts$/);
      expect(result[3]).toMatch(/\/\.parley\/tools$/);
    }));

  test('gets parley-mcp, effection and zod from Parley, whatever the workspace has installed', () =>
    run(function* () {
      const impostor = 'throw new Error("the copy of the workspace was loaded");';
      const { registry } = yield* useLoadedFolder(service, {
        'node_modules/zod/package.json': '{ "name": "zod", "main": "index.js" }',
        'node_modules/zod/index.js': impostor,
        'node_modules/effection/package.json': '{ "name": "effection", "main": "index.js" }',
        'node_modules/effection/index.js': impostor,
        [A]: toolSource(
          'a',
          "(yield* until(Promise.resolve('a'))) + z2.string().parse('b')",
          "import { until } from 'effection';\nimport { z as z2 } from 'zod';",
        ),
      });
      expect(registry.problems()).toEqual([]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe('ab');
    }));

  test('gets what else is in those packages from the workspace', () =>
    run(function* () {
      const { registry, folder, reload } = yield* useLoadedFolder(service, {
        'node_modules/zod/package.json':
          '{ "name": "zod", "exports": { "./mini": { "import": "./mini.mjs", "require": "./no.cjs" } } }',
        'node_modules/zod/mini.mjs': "export const small = 'small';",
        [A]: toolSource('a', 'small', "import { small } from 'zod/mini';"),
      });
      expect(registry.problems()).toEqual([]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe('small');

      yield* folder.write({ [A]: toolSource('a', 'none', "import { none } from 'effection/none';") });
      yield* reload();
      expect(registry.problems()).toMatchObject([
        {
          file: folder.file(A),
          line: 3,
          message: expect.stringContaining('Could not resolve "effection/none"'),
        },
      ]);
    }));

  test('may import another at run time, and gets the one of its own build', () =>
    run(function* () {
      const source = toolSource(
        'a',
        "(yield* until(import('./late.ts'))).late",
        "import { until } from 'effection';",
      );
      const { folder, registry, reload } = yield* useLoadedFolder(service, {
        [A]: source,
        '.parley/tools/late.ts': "export const late = 'first';",
      });
      const before = registry.get('a')?.tool;
      yield* folder.write({ '.parley/tools/late.ts': "export const late = 'second';" });
      yield* reload();
      expect(yield* runBare(before)).toBe('first');
      expect(yield* runBare(registry.get('a')?.tool)).toBe('second');
    }));

  test('that is one tool with its plugin is listed once, as the plugin', () =>
    run(function* () {
      const { registry } = yield* useLoadedFolder(service, {
        '.parley/tools/x/tool.ts': toolSource('x'),
        '.parley/tools/x/plugin.ts':
          "import { makePlugin } from 'parley-mcp';\nimport { tool } from './tool.ts';\nexport const plugin = makePlugin(tool).onElicit({}).build();",
        '.parley/tools/x/index.ts': "export * from './tool.ts';\nexport * from './plugin.ts';",
      });
      expect(names(registry)).toEqual(['x']);
      expect(registry.get('x')?.plugin?.server.tools[0]).toBe(registry.get('x')?.tool);
      expect(registry.get('x')?.place?.file).toMatch(/x\/tool\.ts$/);
      expect(registry.problems()).toEqual([]);
    }));
});
