import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Operation, until } from 'effection';
import { printOf } from '../workspace/files/print-of.ts';
import { expandFolders } from './modules/expand-folders.ts';
import { UsageError } from './options.ts';

/** How files are checked that no project has. */
const LOOSE =
  '--strict --skipLibCheck --target esnext --module preserve --moduleResolution bundler --jsx react-jsx --allowImportingTsExtensions'.split(
    ' ',
  );

/**
 * Has the TypeScript of a project check modules: with the project that they are a part of, as an editor does, or the files alone. It
 * writes what it finds on stdout. Whether that is nothing.
 */
export function* checkTypes(paths: readonly string[], cwd: string): Operation<boolean> {
  const { paths: files } = yield* expandFolders(paths, cwd);
  const owners = new Map<string, Promise<ReadonlySet<string>>>();
  const byProject = new Map<string | undefined, string[]>();
  for (const file of files.map((path) => resolve(cwd, path))) {
    const project = yield* until(projectOf(file, dirname(file), owners, cwd));
    byProject.set(project, [...(byProject.get(project) ?? []), file]);
  }
  let right = true;
  for (const [project, own] of byProject) {
    const { path, loose } = compilerFor(project ?? own[0] ?? cwd, cwd);
    const what = project ? ['-p', project] : [...own, ...loose];
    const child = spawn(process.execPath, [path, '--noEmit', ...what], {
      cwd,
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    const [code] = yield* until(once(child, 'close'));
    right &&= code === 0;
  }
  return right;
}

/** The nearest `tsconfig.json` above that has a file among its own; one that has not says nothing of it, such as of `.parley`. */
async function projectOf(
  file: string,
  folder: string,
  owners: Map<string, Promise<ReadonlySet<string>>>,
  cwd: string,
): Promise<string | undefined> {
  const project = join(folder, 'tsconfig.json');
  const files = owners.get(project) ?? filesOf(project, cwd);
  owners.set(project, files);
  if ((await files).has(file)) return project;
  return folder === dirname(folder) ? undefined : await projectOf(file, dirname(folder), owners, cwd);
}

async function filesOf(project: string, cwd: string): Promise<ReadonlySet<string>> {
  if ((await printOf(project)) === '') return new Set();
  const { path } = compilerFor(project, cwd);
  const shown = await promisify(execFile)(process.execPath, [path, '-p', project, '--showConfig'], {
    maxBuffer: Number.POSITIVE_INFINITY,
  }).catch(() => undefined);
  const { files = [] } = JSON.parse(shown?.stdout ?? '{}') as { files?: readonly string[] };
  return new Set(files.map((file) => resolve(dirname(project), file)));
}

/** The path of the compiler of a project, and what it has to be told for files alone. */
function compilerFor(
  file: string,
  cwd: string,
): { readonly path: string; readonly loose: readonly string[] } {
  for (const from of [file, join(cwd, 'package.json')]) {
    const require = createRequire(from);
    try {
      const { version } = require('typescript/package.json') as { version: string };
      const path = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
      // Since 6 it refuses files where there is a project as well, and takes types only where they are named.
      return {
        path,
        loose:
          Number.parseInt(version, 10) < 6
            ? LOOSE
            : [...LOOSE, '--ignoreConfig', '--types', '*', '--noUncheckedSideEffectImports', 'false'],
      };
    } catch {
      // Perhaps where the command was given.
    }
  }
  throw new UsageError(
    `--types needs TypeScript in the project of ${file}: run \`npm install --save-dev typescript\` there`,
  );
}
