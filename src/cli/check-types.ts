import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { type Operation, until } from 'effection';
import { printOf } from '../workspace/files/print-of.ts';
import { UsageError } from './options.ts';

/** How files are checked that no project has. */
const LOOSE =
  '--strict --skipLibCheck --target esnext --module preserve --moduleResolution bundler --jsx react-jsx --allowImportingTsExtensions'.split(
    ' ',
  );

/**
 * Has the TypeScript of a project check what modules are a part of: the project of the nearest `tsconfig.json`, or the files alone. It
 * writes what it finds on stdout. Whether that is nothing.
 */
export function* checkTypes(paths: readonly string[], cwd: string): Operation<boolean> {
  let right = true;
  for (const [project, files] of yield* until(projectsOf(paths, cwd))) {
    const compiler = compilerFor(project ?? files[0] ?? cwd, cwd);
    const what = project ? ['-p', project] : [...files, ...LOOSE];
    const child = spawn(process.execPath, [compiler, '--noEmit', ...what], {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = yield* until(once(child, 'close'));
    right &&= code === 0;
  }
  return right;
}

/** The files of each project. A folder's tools have their project in its `.parley`. */
async function projectsOf(
  paths: readonly string[],
  cwd: string,
): Promise<ReadonlyMap<string | undefined, readonly string[]>> {
  const files = new Map<string, string | undefined>();
  for (const path of paths) {
    const file = resolve(cwd, path);
    const isFolder = (await stat(file)).isDirectory();
    files.set(file, await projectAbove(isFolder ? join(file, '.parley') : dirname(file)));
  }
  const byProject = Map.groupBy(files.keys(), (file) => files.get(file));
  return byProject;
}

async function projectAbove(folder: string): Promise<string | undefined> {
  const project = join(folder, 'tsconfig.json');
  if ((await printOf(project)) !== '') return project;
  return folder === dirname(folder) ? undefined : await projectAbove(dirname(folder));
}

function compilerFor(file: string, cwd: string): string {
  for (const from of [file, join(cwd, 'package.json')]) {
    try {
      return join(dirname(createRequire(from).resolve('typescript/package.json')), 'bin', 'tsc');
    } catch {
      // Perhaps where the command was given.
    }
  }
  throw new UsageError(
    `--types needs TypeScript in the project of ${file}: run \`npm install --save-dev typescript\` there`,
  );
}
