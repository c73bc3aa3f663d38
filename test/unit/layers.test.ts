import { execFile } from 'node:child_process';
import { copyFile, glob, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, test } from 'vitest';
import { bundles } from '#build/bundles.ts';
import { biomeFile, doors, folders, mayImport, mayUse, placeOf, withTable } from '#build/layers.ts';

const root = join(import.meta.dirname, '..', '..');

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
  if (target !== undefined) return mayImport(folder, target);
  if (from.endsWith('.view.tsx')) return true;
  return mayUse(folder, to);
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
  test('are declared once: `npm run layers` has nothing to write', async () => {
    const page = await readFile(join(root, 'docs', 'architecture.md'), 'utf8');
    expect(withTable(page)).toBe(page);
    expect(await readFile(join(root, 'biome.layers.json'), 'utf8')).toBe(biomeFile());
  });

  test('every import follows the table', { tags: 'long' }, async () => {
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
    ['React', /node_modules\/(react|react-dom|scheduler|preact)\//],
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
    ['host', ['cli', 'code-worker', 'test-hooks', 'test-reporter']],
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

  test('a worker loads a handful of files: each tool file waits for one', async () => {
    const { outputs } = (await built('workers')).metafile;
    const loaded = staticClosure(outputs, 'dist/tool-worker.js');
    expect(loaded.length, loaded.join('\n')).toBeLessThanOrEqual(10);
  });
});

async function built(wanted: string) {
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

describe('lint fences', () => {
  test('refuse and allow exactly what the table does', async () => {
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
        const file = `${placeOf(from)}/to-${to}.ts`;
        files.set(file, `import { it } from '${specifier(from, to)}';\nit();\n`);
        if (!mayImport(from, to)) refused.push(file);
      }
      for (const name of [
        'vscode',
        '@modelcontextprotocol/server',
        'esbuild',
        'effection',
        'node:fs',
        'react',
      ]) {
        const file = `${placeOf(from)}/to-package-${name.replaceAll(/\W/g, '')}.ts`;
        files.set(file, `import * as it from '${name}';\nit.it();\n`);
        if (!isAllowed({ from: file, to: name })) refused.push(file);
      }
      const file = `${placeOf(from)}/to-z.ts`;
      files.set(file, `import { z } from 'zod';\nz.any();\n`);
      refused.push(file);
    }
    for (const { folder, beside = [] } of doors) {
      const [layer = '', inner] = folder.split('/');
      const others = folders.filter((other) => mayImport(other, layer) && (inner || other !== layer));
      for (const from of others) {
        for (const into of ['index.ts', 'inside.ts', 'deep/inside.ts', ...beside]) {
          const place = `${placeOf(from)}/somewhere`;
          const file = `${place}/past-${`${folder}/${into}`.replaceAll(/\W/g, '-')}.ts`;
          const to = relative(place, `src/${folder}/${into}`).replace(/^(?!\.)/, './');
          files.set(file, `import { it } from '${to}';\nit();\n`);
          if (into.endsWith('inside.ts')) refused.push(file);
        }
      }
    }
    // A folder of the editor has the name of a layer with a door.
    files.set('src/vscode/top.ts', `import { it } from '../mcp/inside.ts';\nit();\n`);
    refused.push('src/vscode/top.ts');
    files.set('src/vscode/own.ts', `import { it } from './mcp/inside.ts';\nit();\n`);
    files.set('src/vscode/somewhere/own.ts', `import { it } from '../mcp/inside.ts';\nit();\n`);
    // React, and no other package more, is for the views among the shipped tools.
    files.set('src/tools/react.view.tsx', `import * as it from 'react';\nit.it();\n`);
    files.set('src/tools/vscode.view.tsx', `import * as it from 'vscode';\nit.it();\n`);
    refused.push('src/tools/vscode.view.tsx');
    expect((await lint(files)).sort()).toEqual(refused.sort());
  });
});

/** The files of a made-up project in which the project's own lint rules refuse an import. */
async function lint(files: ReadonlyMap<string, string>): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-fences-'));
  try {
    const config = JSON.parse(await readFile(join(root, 'biome.json'), 'utf8'));
    await copyFile(join(root, 'biome.layers.json'), join(folder, 'biome.layers.json'));
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
