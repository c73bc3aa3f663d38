import { join } from 'node:path';

/** The repository's top folder, absolute. */
export const repoRoot = join(import.meta.dirname, '..', '..');

/** Git-ignored home of the installed VS Code copies; one folder a version. */
export const installRoot = join(repoRoot, '.vscode-test');

/** Git-ignored home of totals, screenshots and the logs of failed runs. */
export const resultsRoot = join(repoRoot, 'test-results');

/** The workspace that `npm start` and the suites open. */
export const exampleWorkspace = join(repoRoot, 'examples', 'workspace');

/** The offline model: an extension of its own, never part of the product. */
export const demoModelExtension = join(repoRoot, 'examples', 'demo-model');

/** The command line program that `npm run build` made. */
export const builtCli = join(repoRoot, 'dist', 'cli.js');
