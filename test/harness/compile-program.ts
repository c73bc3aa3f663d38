import { rmSync } from 'node:fs';
import { mkdir, mkdtemp } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundles } from '../../build/bundles.ts';
import { installRoot } from './paths.ts';

/**
 * Bundles a program that tests start many times, as what ships for Node is bundled. Started from its source it reads a hundred
 * files each time and takes the types out of them, which is most of its work.
 * @returns path of the bundle, there until this process ends
 */
export async function compileProgram(file: string): Promise<string> {
  const outdir = await folderOfThisProcess('program-');
  const name = basename(file, '.ts');
  const host = bundles().find((bundle) => bundle.name === 'host');
  await build({ ...host?.options, entryPoints: { [name]: file }, outdir, write: true });
  return join(outdir, `${name}.js`);
}

/** A folder inside the repository, where what is put there finds the packages, until this process ends. */
export async function folderOfThisProcess(prefix: string): Promise<string> {
  await mkdir(installRoot, { recursive: true });
  const folder = await mkdtemp(join(installRoot, prefix));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
