import { build, type Metafile } from 'esbuild';
import { bundles } from '#build/bundles.ts';
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
  ];
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
