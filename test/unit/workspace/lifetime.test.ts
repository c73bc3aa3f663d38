import { existsSync } from 'node:fs';
import { createSignal, run, withResolvers } from 'effection';
import { describe, expect, test } from 'vitest';
import { type EsbuildService, useEsbuild } from '#src/workspace/bundler/esbuild-service.ts';
import { createStackMaps } from '#src/workspace/load/stack-maps.ts';
import { type LoadReport, useWorkspaceTools } from '#src/workspace/load/use-workspace-tools.ts';
import { createToolRegistry, type RegistryChange } from '#src/workspace/registry/registry.ts';
import { toolSource, useFolder } from './folder-fixture.ts';
import { ESBUILD_DIR, runBare, sharedEsbuild, useLoadedFolder } from './workspace-fixture.ts';

const A = '.parley/tools/a.ts';
const B = '.parley/tools/b.ts';

describe('a watched folder', () => {
  const service = sharedEsbuild();

  test('takes a burst of saves as one change', () =>
    run(function* () {
      const changes = createSignal<string, never>();
      const seen: RegistryChange[] = [];
      const changed = withResolvers<void>();
      const { folder, registry } = yield* useLoadedFolder(
        service,
        { [A]: toolSource('a', '1'), [B]: toolSource('b', '1') },
        { changes },
      );
      registry.subscribe((change) => {
        seen.push(change);
        changed.resolve();
      });
      yield* folder.write({ [A]: toolSource('a', '2'), [B]: toolSource('b', '2') });
      for (const file of [A, A, B, A, B]) changes.send(folder.file(file));
      yield* changed.operation;
      expect(seen).toEqual([{ version: 2, tools: true, problems: false }]);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(2);
      expect(yield* runBare(registry.get('b')?.tool)).toBe(2);
    }));

  test('loads again for a file that a tool needs, and not for one that none does', () =>
    run(function* () {
      const changes = createSignal<string, never>();
      const reports = createSignal<void, never>();
      const { folder, registry } = yield* useLoadedFolder(
        service,
        {
          [A]: toolSource('a', 'help', "import { help } from '../../src/help.ts';"),
          'src/help.ts': 'export const help = 1;',
          'src/other.ts': '',
        },
        { changes, onLoad: () => reports.send() },
      );
      const loads = yield* reports;
      yield* folder.write({ 'src/help.ts': 'export const help = 2;' });
      changes.send(folder.file('src/other.ts'));
      changes.send(folder.file('node_modules/x/package.json'));
      changes.send(folder.file('src/help.ts'));
      yield* loads.next();
      expect(yield* runBare(registry.get('a')?.tool)).toBe(2);
    }));

  test('finds its tools again after it was away', () =>
    run(function* () {
      const changes = createSignal<string, never>();
      const { folder, registry } = yield* useLoadedFolder(service, { [A]: toolSource('a') }, { changes });
      const changed = () => {
        const { operation, resolve } = withResolvers<void>();
        const stop = registry.subscribe(() => {
          stop();
          resolve();
        });
        return operation;
      };
      const gone = changed();
      yield* folder.remove('.parley');
      changes.send(folder.file('.parley'));
      yield* gone;
      expect(registry.list()).toEqual([]);
      const back = changed();
      yield* folder.write({ [A]: toolSource('a') });
      changes.send(folder.file('.parley/tools'));
      yield* back;
      expect(registry.get('a')).toBeDefined();
    }));
});

describe('a scope that ends', () => {
  test('takes tools, files and process with it, also in the middle of a load', async () => {
    const registry = createToolRegistry();
    let service: EsbuildService | undefined;
    let out = '';
    await run(function* () {
      const folder = yield* useFolder({ [A]: toolSource('a') });
      const outside = yield* useFolder();
      out = outside.file('views');
      service = yield* useEsbuild({ dir: ESBUILD_DIR });
      const common = { folder: folder.path, registry, service, stackMaps: createStackMaps() };
      const tools = yield* useWorkspaceTools({ ...common, outDir: out });
      yield* tools.reload();
      expect(registry.list()).toHaveLength(1);
      yield* useWorkspaceTools({ ...common, id: 'second', outDir: outside.file('second') });
    });
    expect(registry.list()).toEqual([]);
    expect(registry.sources()).toEqual([]);
    expect(existsSync(out)).toBe(false);
    expect(() => service?.api()).toThrow('has been stopped');
    // It was told to end; the system says when it has.
    await expect.poll(() => process.getActiveResourcesInfo()).not.toContain('ProcessWrap');
  });
});

describe('the bundler', () => {
  test('needs no node on the PATH', () =>
    run(function* () {
      const before = process.env.PATH;
      process.env.PATH = '';
      try {
        const service = yield* useEsbuild({ dir: ESBUILD_DIR });
        const { registry } = yield* useLoadedFolder(service, { [A]: toolSource('a') });
        expect(yield* runBare(registry.get('a')?.tool)).toBe('a');
      } finally {
        process.env.PATH = before;
      }
    }));

  test('is started again when its process is lost', () =>
    run(function* () {
      const service = yield* useEsbuild({ dir: ESBUILD_DIR });
      const { folder, registry, reload } = yield* useLoadedFolder(service, { [A]: toolSource('a', '1') });
      yield* folder.write({ [A]: toolSource('a', '2') });
      yield* service.restart();
      yield* reload();
      expect(service.generation).toBe(1);
      expect(yield* runBare(registry.get('a')?.tool)).toBe(2);
      expect(registry.problems()).toEqual([]);
    }));

  test('runs without flags that its program does not know', () =>
    run(function* () {
      const service = yield* useEsbuild({ dir: ESBUILD_DIR, v8Flags: ['--no-such-flag-at-all'] });
      const { registry } = yield* useLoadedFolder(service, { [A]: toolSource('a') });
      expect(yield* runBare(registry.get('a')?.tool)).toBe('a');
    }));

  test('that cannot be started is a problem of the folder, and takes nothing down', () =>
    run(function* () {
      const service = yield* useEsbuild({ dir: ESBUILD_DIR, execPath: '/no/such/program' });
      const reports: LoadReport[] = [];
      const { registry, folder } = yield* useLoadedFolder(
        service,
        { [A]: toolSource('a') },
        { onLoad: (report) => reports.push(report) },
      );
      expect(registry.list()).toEqual([]);
      expect(registry.problems()).toMatchObject([
        { file: folder.path, message: expect.stringContaining('cannot be loaded') },
      ]);
      expect(reports.length).toBeGreaterThan(0);
    }));
});
