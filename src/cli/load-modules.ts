import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve, sep } from 'node:path';
import { compileFunction } from 'node:vm';
import { type Operation, scoped, until } from 'effection';
import { LENT_TO_HOST, lentObject } from '../workspace/build/lent-modules.ts';
import { loadProblem } from '../workspace/load/load-problems.ts';
import { createStackMaps, type StackMaps } from '../workspace/load/stack-maps.ts';
import type { Problem } from '../workspace/registry/problem.ts';
import { bundleModules, type ModuleBundle } from './bundle-modules.ts';
import { useBundler } from './bundler.ts';

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
  const stackMaps = createStackMaps();
  const { present, problems } = yield* existing([...new Set(paths.map((path) => resolve(cwd, path)))]);
  if (present.length === 0) return { modules: [], problems };

  const folder = commonFolder(present);
  const bundled = yield* scoped(function* () {
    return yield* bundleModules(yield* useBundler(folder), present, folder);
  });
  problems.push(...bundled.problems);
  if (!bundled.bundle) return { modules: [], problems };

  const load = yield* run(bundled.bundle, folder, stackMaps);
  const modules: LoadedModule[] = [];
  for (const [index, file] of present.entries()) {
    try {
      modules.push({ file, exports: load(index) });
    } catch (error) {
      problems.push(yield* loadProblem(file, error, stackMaps));
    }
  }
  return { modules, problems };
}

function* existing(files: readonly string[]): Operation<{ present: string[]; problems: Problem[] }> {
  const present: string[] = [];
  const problems: Problem[] = [];
  for (const file of files) {
    const found = access(file).then(
      () => true,
      () => false,
    );
    if (yield* until(found)) present.push(file);
    else problems.push(problemOf(file, 'there is no such file'));
  }
  return { present, problems };
}

/** What a bundle runs under, in stacks. */
const BUNDLE_URL = 'parley-tool:cli/modules.cjs';

function* run(
  { code, map, lent }: ModuleBundle,
  folder: string,
  stackMaps: StackMaps,
): Operation<(index: number) => Readonly<Record<string, unknown>>> {
  stackMaps.add(BUNDLE_URL, map, folder);
  const known = new Map<string, unknown>();
  for (const name of lent) {
    const load = LENT_TO_HOST[name];
    if (load) known.set(name, lentObject(yield* until(load())));
  }
  const outside = createRequire(join(folder, 'package.json'));
  const require = (id: string): unknown => known.get(id) ?? outside(id);
  const module = { exports: [] as (() => Readonly<Record<string, unknown>>)[] };
  const parameters = ['exports', 'require', 'module', '__filename', '__dirname'];
  const start = compileFunction(code, parameters, { filename: BUNDLE_URL });
  start(module.exports, require, module, join(folder, 'parley-modules.cjs'), folder);
  return (index) => module.exports[index]?.() ?? {};
}

/** A problem of a file as a whole. */
export function problemOf(file: string, message: string): Problem {
  return { kind: 'load', severity: 'error', file, line: 1, column: 1, length: 0, message };
}

function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  const holdsAll = () => files.every((file) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep));
  while (!holdsAll() && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
