import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '#build/bundles.ts';

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
  const outdir = await mkdtemp(join(await ownFolder(), 'worker-'));
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

/** Removed with all that the tests build; the bench, which no test runs, removes its own. */
async function ownFolder(): Promise<string> {
  if (process.env.VITEST !== undefined) return (await import('vitest')).inject('builtEntries');
  const folder = await mkdtemp(join(tmpdir(), 'parley-bench-entries-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
