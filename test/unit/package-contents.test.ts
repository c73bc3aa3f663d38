import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** Everything that may be in the package, and has to be. */
const GOLDEN = [
  /^package\.json$/,
  /^package\.nls\.json$/,
  /^package\.nls\.(de|ja)\.json$/,
  /^README\.md$/,
  /^CHANGELOG\.md$/,
  /^LICENSE$/,
  /^SECURITY\.md$/,
  /^l10n\/bundle\.l10n\.json$/,
  /^l10n\/bundle\.l10n\.(de|ja)\.json$/,
  /^media\/icon\.png$/,
  /^media\/icon\.svg$/,
  /^media\/(activity-bar|panel-dark|panel-light)\.svg$/,
  /^media\/walkthrough\/(model|write)\.md$/,
  /^media\/walkthrough\/(ask|run|chat)\.svg$/,
  // What activation loads, the command line program, what workers run, and the chunks that all load when they need them.
  /^dist\/extension\.js$/,
  /^dist\/cli\.js$/,
  /^dist\/(tool-(worker|debug)|code-worker)\.js$/,
  /^dist\/test-(hooks|reporter)\.js$/,
  /^dist\/quickjs\.wasm$/,
  /^dist\/[\w-]+-[A-Z0-9]{8}\.js$/,
  /^dist\/author-kit\.gz$/,
  // For Add Example…
  /^examples\/packs\/\w+\/\.parley\/tools\/[\w/.-]+\.(tsx?|css)$/,
  /^examples\/workspace\/\.parley\/tools\/(word-count|slow-count|field-kinds)\.ts$/,
  /^dist\/ThirdPartyNotices\.txt$/,
  /^dist\/shared\/zod\.js$/,
  /^dist\/webview\/[\w-]+\.js$/,
  /^dist\/webview\/(main|mcp-app)\.css$/,
  /^dist\/webview\/codicon\.ttf$/,
  /^dist\/esbuild\/(LICENSE\.md|package\.json|esbuild\.wasm|wasm_exec\.js|wasm_exec_node\.js)$/,
  /^dist\/esbuild\/(bin\/esbuild|lib\/main\.js)$/,
];

const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
const { stdout } = await promisify(execFile)(process.execPath, [vsce, 'ls', '--no-dependencies'], {
  cwd: root,
});
const files = stdout.trim().split(/\r?\n/);

test('the package holds what it should, and nothing else', () => {
  expect(files.filter((path) => !GOLDEN.some((pattern) => pattern.test(path)))).toEqual([]);
  expect(GOLDEN.filter((pattern) => !files.some((path) => pattern.test(path)))).toEqual([]);
});

test('the package stays below 7 MB', async () => {
  let bytes = 0;
  for (const path of files) bytes += deflateRawSync(await readFile(join(root, path))).length;
  expect(bytes).toBeGreaterThan(1024 * 1024);
  expect(bytes).toBeLessThan(7 * 1024 * 1024);
});
