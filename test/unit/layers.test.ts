import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundles } from '#build/bundles.ts';
import { importsOf, importsOfSources } from '#build/imports.ts';
import { refusalOf, withTable } from '#build/layers.ts';

const root = join(import.meta.dirname, '..', '..');

describe('layers', () => {
  test('are declared once: `npm run layers` has nothing to write', async () => {
    const page = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    expect(withTable(page)).toBe(page);
  });

  test('every import follows the table', async () => {
    const imports = await importsOfSources();
    expect(imports.filter(({ from }) => from.startsWith('src/core/')).length).toBeGreaterThan(0);
    expect(imports.filter((one) => refusalOf(one) !== undefined)).toEqual([]);
  });

  test('all ways to import are read, those of types among them', () => {
    const text = `
      import a from 'a';
      import type { B } from './b.ts';
      import '../c.css';
      export * from '../d/d.ts';
      export type { E } from 'e';
      const f = await import('../../f.ts');
      // import g from 'g';`;
    expect(importsOf('src/core/x.ts', text).map(({ to }) => to)).toEqual([
      'a',
      'src/core/b.ts',
      'src/c.css',
      'src/d/d.ts',
      'e',
      'f.ts',
    ]);
  });

  test.each([
    ['src/core/x.ts', 'src/runtime/session/session.ts'],
    ['src/runtime/x.ts', 'vscode'],
    ['src/chat/x.ts', '@modelcontextprotocol/server'],
    ['src/mcp/x.ts', '@modelcontextprotocol/server'],
    ['src/core/x.ts', 'node:fs'],
    ['src/runtime/x.ts', 'node:fs'],
    ['src/calls/x.ts', 'node:fs'],
    ['webview/x.ts', 'src/runtime/session/session.ts'],
    ['webview/x.ts', 'effection'],
    ['src/tools/x.view.tsx', 'webview/page/page.ts'],
    ['src/tools/x.view.tsx', 'vscode'],
    ['src/tools/x.ts', 'react'],
    ['src/tools/x.ts', 'webview/api.ts'],
    ['src/vscode/top.ts', 'src/mcp/server.ts'],
    ['src/vscode/agents/x.ts', 'src/mcp/client/connect.ts'],
    ['src/vscode/calls/desk.ts', 'src/vscode/servers/server-book.ts'],
    ['src/vscode/log/log.ts', 'src/vscode/calls/desk.ts'],
    ['src/vscode/agents/mcp/handler.ts', 'src/vscode/main.ts'],
    ['src/mcp/x.ts', 'src/mcp/client/connect.ts'],
    ['src/stores/x.ts', 'src/stores/postgres/pool.ts'],
  ])('refuse that %s imports %s', (from, to) => {
    expect(refusalOf({ from, to })).toMatch(/\.$/);
  });

  test.each([
    ['src/mcp/client/x.ts', '@modelcontextprotocol/client'],
    ['src/mcp/x.ts', 'src/mcp/client/index.ts'],
    ['src/mcp/client/x.ts', 'src/mcp/client/connect.ts'],
    ['src/vscode/agents/mcp/x.ts', 'src/mcp/index.ts'],
    ['src/vscode/agents/mcp/x.ts', 'src/mcp/http/token.ts'],
    ['src/vscode/main.ts', 'src/vscode/agents/mcp/window.ts'],
    ['src/vscode/agents/lm/x.ts', 'src/vscode/servers/server-book.ts'],
    ['src/vscode/calls/desk.ts', 'src/vscode/log/log.ts'],
    ['src/cli/x.ts', 'src/stores/postgres/index.ts'],
    ['src/tools/x.view.tsx', 'react'],
    ['webview/x.tsx', 'react-dom/client'],
    ['src/node/x.ts', 'node:fs'],
    ['test/unit/x.ts', 'vscode'],
  ])('allow that %s imports %s', (from, to) => {
    expect(refusalOf({ from, to })).toBeUndefined();
  });
});

describe('what activation loads', () => {
  let outputs: Metafile['outputs'];
  let loaded: string[];

  beforeAll(async () => {
    outputs = (await built('host')).metafile.outputs;
    loaded = staticClosure(outputs, 'dist/extension.js');
  });

  test('is at most 200 KB', () => {
    const bytes = loaded.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
    expect(bytes, loaded.map((file) => `${file} ${outputs[file]?.bytes}`).join('\n')).toBeLessThanOrEqual(
      200_000,
    );
  });

  test('is a handful of files: each is waited for', () => {
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(6);
  });

  test.each([
    ['an MCP SDK', /node_modules\/@modelcontextprotocol\//],
    ['esbuild', /node_modules\/esbuild/],
    ['React', /node_modules\/(react|react-dom|scheduler)\//],
    [
      'the loading of workspace tools',
      /^src\/workspace\/[\w-]+\/(use-workspace-tools|folder-\w+|host-realm|esbuild-service)\.ts$/,
    ],
    ['a component of a view', /\.view\.tsx$/],
  ])('does not hold %s', (_what, pattern) => {
    const inputs = loaded.flatMap((file) =>
      Object.entries(outputs[file]?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
        // What stands for a view is a few bytes under the view's own path.
        bytesInOutput > 0 && !(path.endsWith('.view.tsx') && bytesInOutput < 400) ? [path] : [],
      ),
    );
    expect(inputs.length).toBeGreaterThan(0);
    expect(inputs.filter((path) => pattern.test(path))).toEqual([]);
  });
});

describe('what runs without an editor', () => {
  test.each([
    ['host', ['test-hooks', 'test-reporter']],
    ['cli', ['cli', 'code-worker']],
    ['workers', ['tool-worker', 'tool-debug']],
  ])('loads nothing of one, sooner or later: what is built with the %s', async (name, entries) => {
    const { outputs } = (await built(name)).metafile;
    for (const entry of entries) {
      const files = closure(outputs, `dist/${entry}.js`);
      const imported = files.flatMap((file) => outputs[file]?.imports.map(({ path }) => path) ?? []);
      expect(imported.length).toBeGreaterThan(0);
      expect(imported).not.toContain('vscode');
    }
  });

  test('parley-mcp alone waits for nothing that its four tools do not need', async () => {
    const { outputs } = (await built('cli')).metafile;
    const isAlone = (entry = '') => entry.endsWith('src/cli/alone.ts');
    const alone = Object.entries(outputs).find(([, { entryPoint }]) => isAlone(entryPoint));
    const files = staticClosure(outputs, alone?.[0] ?? '');
    const inputs = files.flatMap((file) => Object.keys(outputs[file]?.inputs ?? {}));
    expect(inputs).toContain('src/tools/approve/tool.ts');
    const others =
      /^src\/(mcp\/client|isolation|workspace\/scaffold|cli\/(gateway|modules|pack))\/|\/minisearch\//;
    expect(inputs.filter((input) => others.test(input))).toEqual([]);
    // An import of it loads fetch as well: 30 ms.
    const imported = files.flatMap((file) => outputs[file]?.imports.map(({ path }) => path) ?? []);
    expect(imported).not.toContain('node:http');
    // One behind the other.
    expect(files.length).toBeLessThanOrEqual(10);
    expect(files.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0)).toBeLessThan(650_000);
  });

  test('a worker loads a handful of files: each tool file waits for one', async () => {
    const { outputs } = (await built('workers')).metafile;
    const loaded = staticClosure(outputs, 'dist/tool-worker.js');
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(10);
  });
});

const builds = new Map<string, ReturnType<typeof bundled>>();

/** What a bundle is made of; it is made once. */
async function built(wanted: string) {
  const one = builds.get(wanted) ?? bundled(wanted);
  builds.set(wanted, one);
  return await one;
}

async function bundled(wanted: string) {
  const bundle = bundles({ minify: true }).find(({ name }) => name === wanted);
  if (!bundle) throw new Error(`build/bundles.ts has no bundle "${wanted}"`);
  return await build({ ...bundle.options, metafile: true, write: false });
}

/** The files that loading `entry` loads at once: static imports, and theirs. */
function staticClosure(outputs: Metafile['outputs'], entry: string): string[] {
  return closure(outputs, entry, ({ kind }) => kind !== 'dynamic-import');
}

/** The files that loading `entry` may load, by the imports that count. */
function closure(
  outputs: Metafile['outputs'],
  entry: string,
  counts: (imported: Metafile['outputs'][string]['imports'][number]) => boolean = () => true,
): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || outputs[file] === undefined) return;
    seen.add(file);
    for (const imported of outputs[file].imports) if (counts(imported)) visit(imported.path);
  };
  visit(entry);
  return [...seen];
}
