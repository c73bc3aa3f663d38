import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { folderOfThisProcess } from '../compile-program.ts';
import { repoRoot } from '../paths.ts';

/**
 * Bundles `test/host/**\/*.test.ts`, each into a file of its own, and the module that runs them.
 * @returns path of that module, there until this process ends
 * @throws Error when there is no test or one cannot be bundled
 */
export async function buildHostSuite(): Promise<string> {
  const tests = globSync('test/host/**/*.test.ts', { cwd: repoRoot }).toSorted();
  if (tests.length === 0) throw new Error('There is no test in test/host.');
  const names = tests.map((file) => file.replaceAll(/[\\/]/g, '-').replace(/\.ts$/, ''));
  // There it finds `mocha`, and two runs do not meet.
  const folder = await folderOfThisProcess('host-suite-');
  await build({
    absWorkingDir: repoRoot,
    entryPoints: [
      { in: join(import.meta.dirname, 'suite.ts'), out: 'suite' },
      ...tests.map((file, index) => ({ in: file, out: names[index] ?? basename(file) })),
    ],
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    sourcemap: 'inline',
    external: ['vscode', 'mocha'],
    logLevel: 'warning',
  });
  return join(folder, 'suite.cjs');
}
