import { execFile } from 'node:child_process';
import { glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundles } from '../../esbuild.mjs';

const root = join(import.meta.dirname, '..', '..');

/** What each folder of `src` (and the page) may import of the others: the table in docs/architecture.md. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  core: [],
  runtime: ['core'],
  chat: ['runtime', 'core'],
  mcp: ['runtime', 'core'],
  'panel-port': ['core'],
  workspace: ['core'],
  isolation: ['runtime', 'workspace', 'panel-port', 'core'],
  tools: ['core'],
  testing: ['runtime', 'core'],
  cli: ['mcp', 'isolation', 'workspace', 'core'],
  vscode: [
    'core',
    'runtime',
    'chat',
    'mcp',
    'panel-port',
    'workspace',
    'isolation',
    'tools',
    'testing',
    'cli',
  ],
  webview: ['panel-port', 'core'],
};

/** The packages that only some folders may import. */
const FENCED_PACKAGES: ReadonlyArray<{ package: RegExp; folders: readonly string[] }> = [
  { package: /^vscode$/, folders: ['vscode'] },
  { package: /^@modelcontextprotocol\//, folders: ['mcp'] },
  { package: /^esbuild(-wasm)?$/, folders: ['workspace'] },
  // workspace/ lends React to the tools of a folder.
  { package: /^react(-dom)?(\/|$)/, folders: ['webview', 'workspace'] },
  {
    package: /^node:/,
    folders: ['runtime', 'chat', 'mcp', 'workspace', 'isolation', 'vscode', 'tools', 'testing', 'cli'],
  },
];

interface Arrow {
  readonly from: string;
  readonly to: string;
}

/** `core` for `src/core/x.ts`, `webview` for `webview/x.tsx`, nothing for a package. */
function folderOf(path: string): string | undefined {
  return /^(?:src\/([\w-]+)|(webview))\//.exec(path)?.slice(1).find(Boolean);
}

function arrowsOf(metafile: Metafile): Arrow[] {
  return Object.entries(metafile.inputs).flatMap(([from, input]) =>
    input.imports.map(({ path }) => ({ from, to: path })),
  );
}

function isAllowed({ from, to }: Arrow): boolean {
  const folder = folderOf(from);
  if (folder === undefined) return true;
  const target = folderOf(to);
  // A view runs in the page, of which it knows what every view does: `parley-mcp/webview`.
  if (from.endsWith('.view.tsx') && to === 'webview/api.ts') return true;
  if (target !== undefined) return target === folder || MAY_IMPORT[folder]?.includes(target) === true;
  if (from.endsWith('.view.tsx')) return true;
  return FENCED_PACKAGES.every((fence) => !fence.package.test(to) || fence.folders.includes(folder));
}

/** Every source file as esbuild sees it: what is imported at run time (an import of types is gone by then). */
async function graphOfSources(): Promise<Metafile> {
  const entryPoints: string[] = [];
  for await (const file of glob(['src/**/*.{ts,tsx}', 'webview/**/*.{ts,tsx}'], { cwd: root })) {
    if (!file.endsWith('.d.ts')) entryPoints.push(file);
  }
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints,
    outdir: 'dist',
    bundle: true,
    write: false,
    metafile: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    external: ['parley:views', '*.css'],
    logLevel: 'silent',
  });
  return metafile;
}

describe('layers', () => {
  test('every import follows the table', async () => {
    const arrows = arrowsOf(await graphOfSources());
    expect(arrows.filter((arrow) => folderOf(arrow.from) === 'core').length).toBeGreaterThan(0);
    expect(arrows.filter((arrow) => !isAllowed(arrow))).toEqual([]);
  });

  test('the check itself refuses what is not in the table', () => {
    expect(isAllowed({ from: 'src/core/x.ts', to: 'src/runtime/session/session.ts' })).toBe(false);
    expect(isAllowed({ from: 'src/runtime/x.ts', to: 'vscode' })).toBe(false);
    expect(isAllowed({ from: 'webview/x.ts', to: 'src/runtime/session/session.ts' })).toBe(false);
    expect(isAllowed({ from: 'src/tools/x.view.tsx', to: 'webview/page/page.ts' })).toBe(false);
    expect(isAllowed({ from: 'src/tools/x.ts', to: 'webview/api.ts' })).toBe(false);
    expect(isAllowed({ from: 'src/mcp/x.ts', to: '@modelcontextprotocol/server' })).toBe(true);
  });
});

describe('what activation loads', () => {
  let outputs: Metafile['outputs'];
  let loaded: string[];

  beforeAll(async () => {
    const host = bundles({ minify: true }).find(({ name }) => name === 'host');
    const { metafile } = await build({ ...host?.options, metafile: true, write: false });
    outputs = metafile.outputs;
    loaded = staticClosure(outputs, 'dist/extension.js');
  });

  test('is at most 200 KB', () => {
    const bytes = loaded.reduce((sum, file) => sum + (outputs[file]?.bytes ?? 0), 0);
    expect(bytes, loaded.map((file) => `${file} ${outputs[file]?.bytes}`).join('\n')).toBeLessThanOrEqual(
      200_000,
    );
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

/** The files that loading `entry` loads at once: static imports, and theirs. */
function staticClosure(outputs: Metafile['outputs'], entry: string): string[] {
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file) || outputs[file] === undefined) return;
    seen.add(file);
    for (const { path, kind } of outputs[file].imports) if (kind !== 'dynamic-import') visit(path);
  };
  visit(entry);
  return [...seen];
}

describe('lint fences', () => {
  test('refuse and allow exactly what the table does', async () => {
    const folders = Object.keys(MAY_IMPORT);
    const place = (folder: string) => (folder === 'webview' ? 'webview' : `src/${folder}`);
    const specifier = (from: string, to: string) =>
      from === 'webview'
        ? `../src/${to}/index.ts`
        : to === 'webview'
          ? '../../webview/main.tsx'
          : `../${to}/index.ts`;
    const files = new Map<string, string>();
    const refused: string[] = [];
    for (const from of folders) {
      for (const to of folders.filter((folder) => folder !== from)) {
        const file = `${place(from)}/to-${to}.ts`;
        files.set(file, `import { it } from '${specifier(from, to)}';\nit();\n`);
        if (MAY_IMPORT[from]?.includes(to) !== true) refused.push(file);
      }
      for (const name of ['vscode', '@modelcontextprotocol/server', 'esbuild']) {
        const file = `${place(from)}/to-package-${name.replaceAll(/\W/g, '')}.ts`;
        files.set(file, `import * as it from '${name}';\nit.it();\n`);
        if (!isAllowed({ from: file, to: name })) refused.push(file);
      }
      const file = `${place(from)}/to-z.ts`;
      files.set(file, `import { z } from 'zod';\nz.any();\n`);
      refused.push(file);
    }
    expect((await lint(files)).sort()).toEqual(refused.sort());
  });
});

/** The files of a made-up project in which the project's own lint rules refuse an import. */
async function lint(files: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-fences-'));
  try {
    const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
    await writeFile(join(folder, 'biome.json'), JSON.stringify({ ...config, vcs: { enabled: false } }));
    for (const [file, text] of files) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const args = [
      biome,
      'lint',
      '--only=style/noRestrictedImports',
      '--reporter=json',
      '--max-diagnostics=none',
      '.',
    ];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder }).catch(
      (error) => error,
    );
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { location: { path: string } }[] };
    return [...new Set(diagnostics.map(({ location }) => location.path))];
  } finally {
    await rm(folder, { recursive: true });
  }
}
