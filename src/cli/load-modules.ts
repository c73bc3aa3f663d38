import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Operation, until } from 'effection';
import { useEsbuild } from '../workspace/esbuild-service.ts';
import { useFolderBuilder } from '../workspace/folder-build.ts';
import { createHostRealm } from '../workspace/host-realm.ts';
import { loadProblem } from '../workspace/load-problems.ts';
import type { Problem } from '../workspace/problem.ts';
import { createStackMaps } from '../workspace/stack-maps.ts';
import { esbuildFolder } from './package-info.ts';

/** A module that could be loaded. */
export interface LoadedModule {
  /** Absolute path. */
  readonly file: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** What came of loading modules. */
export interface LoadedModules {
  readonly modules: readonly LoadedModule[];
  readonly problems: readonly Problem[];
}

/**
 * Loads TypeScript or JavaScript modules, in the order given, with `parley-mcp`, `effection` and `zod` lent to them.
 * What is wrong with them comes as problems at their authors' lines.
 *
 * @param paths relative to `cwd`
 */
export function* loadModules(paths: readonly string[], cwd: string): Operation<LoadedModules> {
  const files = [...new Set(paths.map((path) => resolve(cwd, path)))];
  const missing: Problem[] = [];
  const present: string[] = [];
  for (const file of files) {
    const found = yield* until(
      access(file).then(
        () => true,
        () => false,
      ),
    );
    if (found) present.push(file);
    else missing.push(problemOf(file, 'there is no such file'));
  }
  if (present.length === 0) return { modules: [], problems: missing };

  const dir = commonFolder(present);
  const service = yield* useEsbuild({ dir: esbuildFolder() });
  const builder = yield* useFolderBuilder(service, { id: dir, dir });
  const build = yield* builder.build(present);
  if (build.files === undefined) return { modules: [], problems: [...missing, ...build.problems] };

  const stackMaps = createStackMaps();
  const realm = createHostRealm({ folder: dir, outDir: builder.outDir, stackMaps });
  const entries = new Map(Array.from(build.files, ([file, { module }]) => [file, module]));
  const loaded = yield* realm.load({ modules: build.modules, lent: build.lent, entries });
  const modules: LoadedModule[] = [];
  const problems = [...missing, ...build.problems];
  for (const file of present) {
    const outcome = loaded.get(file);
    if (outcome?.kind === 'loaded') modules.push({ file, exports: outcome.exports });
    else if (outcome) problems.push(yield* loadProblem(file, outcome.error, stackMaps));
  }
  return { modules, problems };
}

/** A problem of a file as a whole. */
export function problemOf(file: string, message: string): Problem {
  return { kind: 'load', severity: 'error', file, line: 1, column: 1, length: 0, message };
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  while (!files.every((file) => file.startsWith(`${folder}/`)) && folder !== dirname(folder)) {
    folder = dirname(folder);
  }
  return folder;
}
