import { globSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { installRoot, repoRoot } from '../paths.ts';

/** Where the bundled suite goes: inside the repository, so that it finds `mocha`, and never part of the product. */
export const suiteFolder = join(installRoot, 'host-suite');

/**
 * Bundles `test/host/**\/*.test.ts`, each into a file of its own, and the module that runs them.
 * @returns path of that module
 * @throws Error when there is no test or one cannot be bundled
 */
export async function buildHostSuite(): Promise<string> {
  const tests = globSync('test/host/**/*.test.ts', { cwd: repoRoot }).toSorted();
  if (tests.length === 0) throw new Error('There is no test in test/host.');
  const names = tests.map((file) => file.replaceAll(/[\\/]/g, '-').replace(/\.ts$/, ''));
  await rm(suiteFolder, { recursive: true, force: true });
  await build({
    absWorkingDir: repoRoot,
    entryPoints: [
      { in: join(import.meta.dirname, 'suite.ts'), out: 'suite' },
      ...tests.map((file, index) => ({ in: file, out: names[index] ?? basename(file) })),
    ],
    outdir: suiteFolder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(suiteFolder, 'suite.cjs');
}
