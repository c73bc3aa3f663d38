import { existsSync } from 'node:fs';
import { readdir, stat, utimes } from 'node:fs/promises';
import { type Operation, run, scoped, until } from 'effection';
import { expect, test } from 'vitest';
import type { ViewReference } from '#src/core/plugin/view.ts';
import type { EsbuildService } from '#src/workspace/bundler/esbuild-service.ts';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import { useWorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { createToolRegistry } from '#src/workspace/registry/registry.ts';
import { type Folder, toolSource, useFolder } from './folder-fixture.ts';
import { runBare, sharedEsbuild } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const HELP = 'src/help.ts';
const files = {
  [A]: toolSource(
    'a',
    '[help, View]',
    "import { help } from '../../src/help.ts';\nimport { View } from './v.view.tsx';",
  ),
  [HELP]: 'export const help = 1;',
  '.parley/tools/v.view.tsx': 'export const View = () => null;',
};

/** A bundler that counts how often it is asked for anything. */
function counting(): EsbuildService & { uses: number } {
  const service = sharedEsbuild();
  return {
    ...service,
    uses: 0,
    api() {
      this.uses++;
      return service.api();
    },
  };
}

/** The folder as a window would open it, until `body` is done; then the build is kept. */
function inWindow<T>(
  folder: Folder,
  body: (tools: {
    registry: ReturnType<typeof createToolRegistry>;
    service: ReturnType<typeof counting>;
    reload(): Operation<unknown>;
    warmUp(): void;
  }) => Operation<T>,
): Operation<T> {
  return scoped(function* () {
    const registry = createToolRegistry();
    const service = counting();
    const tools = yield* useWorkspaceTools({
      folder: folder.path,
      id: 'test',
      outDir: folder.file('out'),
      cacheFile: folder.file('cache/build.json'),
      registry,
      service,
      stackMaps: createStackMaps(),
    });
    yield* tools.loaded;
    return yield* body({ registry, service, ...tools });
  });
}

function* resultOf(registry: ReturnType<typeof createToolRegistry>) {
  return (yield* runBare(registry.get('a')?.tool)) as [number, ViewReference];
}

/** Opens the folder once, so that its build is kept. */
function* keepBuild(folder: Folder): Operation<void> {
  yield* inWindow(folder, ({ reload }) => reload());
}

test('a folder that is opened again has its tools before a bundler runs', () =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    yield* inWindow(folder, function* ({ registry, service }) {
      const [help, view] = yield* resultOf(registry);
      expect(help).toBe(1);
      expect(existsSync(registry.viewBundle(view.key)?.script ?? '')).toBe(true);
      expect(service.uses).toBe(0);
    });
  }));

test('warming up builds for real, and changes nothing', () =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    yield* inWindow(folder, function* ({ registry, service, warmUp, reload }) {
      const { version } = registry;
      const tool = registry.get('a')?.tool;
      const [, view] = yield* resultOf(registry);
      warmUp();
      yield* reload();
      expect(service.uses).toBeGreaterThan(0);
      expect(registry.get('a')?.tool).toBe(tool);
      expect((yield* resultOf(registry))[1].key).toBe(view.key);
      expect(registry.version).toBe(version);
      yield* folder.write({ [HELP]: 'export const help = 2;' });
      yield* reload();
      expect((yield* resultOf(registry))[0]).toBe(2);
    });
  }));

test.each([
  ['a file that a tool needs has changed', HELP, 'export const help = 22;', 22],
  ['its view has changed', '.parley/tools/v.view.tsx', 'export const View = () => 1;', 1],
  ['there is another tool file', '.parley/tools/b.ts', toolSource('b'), 1],
  ['there is another configuration', '.parley/tsconfig.json', '{ "compilerOptions": {} }', 1],
  ['what was kept is no JSON', 'cache/build.json', '{ "madeBy": ', 1],
])('a kept build is not used when %s', (_what, file, text, result) =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    yield* folder.write({ [file]: text });
    yield* inWindow(folder, function* ({ registry, service }) {
      expect((yield* resultOf(registry))[0]).toBe(result);
      expect(service.uses).toBeGreaterThan(0);
    });
  }),
);

test('a kept build is not used when a file was replaced by another of the same size and time', () =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    const { atime, mtime } = yield* until(stat(folder.file(HELP)));
    yield* folder.write({ [HELP]: 'export const help = 2;' });
    yield* until(utimes(folder.file(HELP), atime, mtime));
    yield* inWindow(folder, function* ({ registry }) {
      expect((yield* resultOf(registry))[0]).toBe(2);
    });
  }));

test.skipIf(process.platform === 'win32')('what is kept is for nobody else to read', () =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    expect((yield* until(stat(folder.file('cache/build.json')))).mode & 0o777).toBe(0o600);
  }),
);

test('a build with problems is not kept', () =>
  run(function* () {
    const folder = yield* useFolder({ ...files, '.parley/tools/b.ts': 'const = 1' });
    yield* keepBuild(folder);
    expect(existsSync(folder.file('cache/build.json'))).toBe(false);
  }));

test('a place where nothing can be kept is no problem', () =>
  run(function* () {
    const folder = yield* useFolder({ ...files, cache: 'a file, not a folder' });
    yield* inWindow(folder, function* ({ registry, reload }) {
      yield* reload();
      expect((yield* resultOf(registry))[0]).toBe(1);
      expect(registry.problems()).toEqual([]);
    });
  }));

test('one file is kept, with no drafts left beside it', () =>
  run(function* () {
    const folder = yield* useFolder(files);
    yield* keepBuild(folder);
    expect(yield* until(readdir(folder.file('cache')))).toEqual(['build.json']);
  }));
