import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build, type Metafile } from 'esbuild';
import { bundles } from '#build/bundles.ts';
import { root } from '#build/paths.ts';
import type { Row } from './report.ts';

const KB = 1000;

/** What activation loads and what a page loads, minified. */
export async function sizeRows(): Promise<readonly Row[]> {
  const host = await outputsOf('host');
  const activation = closure(host, 'dist/extension.js');
  const webview = await outputsOf('webview');
  const page = closure(webview, 'dist/webview/main.js');
  const bytesOf = (outputs: Metafile['outputs'], file: string) => outputs[`dist/webview/${file}`]?.bytes ?? 0;
  const style = bytesOf(webview, 'main.css');
  // All that a panel loads sooner or later is in the one document of a page in a conversation.
  const panel =
    page + style + bytesOf(webview, 'codicon.ttf') + bytesOf(await outputsOf('markdown'), 'marked.js');
  const app = await outputsOf('mcp-app');
  const document = bytesOf(app, 'mcp-app-boot.js') + bytesOf(app, 'mcp-app.js') + bytesOf(app, 'mcp-app.css');
  return [
    {
      what: 'activation loads',
      figure: kilobytes(activation),
      target: '≤ 200 KB',
      met: activation <= 200 * KB,
    },
    { what: 'a run panel loads: script', figure: kilobytes(page) },
    { what: 'a run panel loads: style', figure: kilobytes(style) },
    {
      what: 'a page in a conversation, with all that it needs',
      figure: `${kilobytes(document)}, ${(document / panel).toFixed(2)}× a run panel's`,
      target: '≤ 1.1×',
      met: document <= 1.1 * panel,
    },
    ...(await inlineRows()),
  ];
}

/** `parley-mcp/inline`, with all that it needs but zod and what reads the schemas of zod 3; and how long it takes to load. */
async function inlineRows(): Promise<readonly Row[]> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src/inline/index.ts')],
    ...{ bundle: true, minify: true, format: 'esm', platform: 'node', target: 'node22', write: false },
    external: ['zod', 'zod/*', 'zod-to-json-schema'],
  });
  const [{ contents }] = outputFiles as [(typeof outputFiles)[number]];
  const folder = await mkdtemp(join(root, 'node_modules/.inline-'));
  const file = join(folder, 'inline.mjs');
  await writeFile(file, contents);
  const took: number[] = [];
  for (let round = 0; round < 7; round++) took.push(await importTime(file));
  await rm(folder, { recursive: true });
  const [least = 0, , , median = 0] = took.toSorted((one, other) => one - other);
  return [
    {
      what: 'a handler of another server loads: script',
      figure: kilobytes(contents.length),
      target: '≤ 190 KB',
      met: contents.length <= 190 * KB,
    },
    { what: 'and takes', figure: `${least.toFixed(0)} · ${median.toFixed(0)} ms` },
  ];
}

/** Milliseconds that a process needs to import a file, its own start left out. */
async function importTime(file: string): Promise<number> {
  const code = `const from = performance.now(); await import(${JSON.stringify(pathToFileURL(file).href)}); console.log(performance.now() - from);`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', code]);
  return Number(stdout);
}

async function outputsOf(name: string): Promise<Metafile['outputs']> {
  const bundle = bundles({ minify: true }).find((one) => one.name === name);
  if (!bundle) throw new Error(`build/bundles.ts has no bundle "${name}"`);
  return (await build({ ...bundle.options, metafile: true, write: false })).metafile.outputs;
}

/** Bytes of a file and of all that it imports at once. */
function closure(outputs: Metafile['outputs'], entry: string): number {
  const seen = new Set<string>();
  const visit = (file: string): number => {
    const output = outputs[file];
    if (!output || seen.has(file)) return 0;
    seen.add(file);
    const imported = output.imports.filter(({ kind }) => kind !== 'dynamic-import');
    return imported.reduce((sum, { path }) => sum + visit(path), output.bytes);
  };
  return visit(entry);
}

const kilobytes = (bytes: number) => `${(bytes / KB).toFixed(0)} KB`;
