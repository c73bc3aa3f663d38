/**
 * Packages Parley, and runs the end-to-end tests against a VS Code that has installed the package.
 * Run: `npm run test:vsix`, with the names of files to run only those.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repoRoot, resultsRoot } from './paths.ts';
import { spawnToEnd } from './spawn-to-end.ts';

const file = join(resultsRoot, 'parley.vsix');

await mkdir(resultsRoot, { recursive: true });
const bin = (name: string) => join(repoRoot, 'node_modules', name);
const steps: readonly (readonly string[])[] = [
  ['esbuild.mjs', '--minify'],
  [join(repoRoot, 'build', 'release', 'package.ts'), '--out', file],
  [bin('vitest/vitest.mjs'), 'run', '--config', 'test/e2e/vitest.config.ts', ...process.argv.slice(2)],
];
for (const args of steps) {
  process.exitCode = await spawnToEnd(process.execPath, args, { PARLEY_E2E_VSIX: file });
  if (process.exitCode !== 0) break;
}
