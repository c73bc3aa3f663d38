import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '#build/bundles.ts';
import { tempFolder } from '#test/temp-folder.ts';

let built: Promise<string> | undefined;

/** The module that workers run, as it ships, for the tests of one file. Reading a hundred sources would be slow. */
export async function workerEntry(): Promise<string> {
  return join(await builtEntries(), 'tool-worker.js');
}

/** The module that processes for debugging run. */
export async function debugEntry(): Promise<string> {
  return join(await builtEntries(), 'tool-debug.js');
}

function builtEntries(): Promise<string> {
  built ??= buildEntries();
  return built;
}

async function buildEntries(): Promise<string> {
  const outdir = tempFolder();
  // In the bench, which no test runs.
  process.once('exit', () => rmSync(outdir, { recursive: true, force: true }));
  const host = bundles().find(({ name }) => name === 'host');
  const zod = bundles().find(({ name }) => name === 'zod');
  const entryPoints = {
    'tool-worker': 'src/isolation/tool-side/tool-worker.ts',
    'tool-debug': 'src/isolation/tool-side/tool-debug.ts',
  };
  await build({ ...host?.options, entryPoints, outdir, write: true });
  await build({ ...zod?.options, outdir: join(outdir, 'shared'), write: true });
  return outdir;
}
