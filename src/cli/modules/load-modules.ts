import { access, readFile } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { type Operation, scoped, until } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { defined } from '../../core/schema/defined.ts';
import { noteCodeVersion } from '../../core/world/code-version.ts';
import { exportedTools } from '../../workspace/load/exported-tools.ts';
import { loadProblem } from '../../workspace/load/load-problems.ts';
import { createStackMaps } from '../../workspace/load/stack-maps.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import { placeWith } from '../terminal-text.ts';
import type { Bundled, ModuleViews } from './bundle-modules.ts';
import { keepBundle, keptBundle } from './kept-bundle.ts';
import { bundleVersion, type RunModules, runInHost } from './run-modules.ts';

/** A module that could be loaded. */
export interface LoadedModule {
  /** Absolute path. */
  readonly file: string;
  /** As its author wrote it. */
  readonly text: string;
  readonly exports: Readonly<Record<string, unknown>>;
}

/** What came of loading modules. */
export interface LoadedModules {
  /** Nothing where they could not be bundled. */
  readonly views?: ModuleViews;
  readonly modules: readonly LoadedModule[];
  readonly problems: readonly Problem[];
  /** The files that they are made of, where they could be bundled. */
  readonly inputs?: readonly string[];
}

/**
 * Loads TypeScript or JavaScript modules, in the order given, with `parley-mcp`, `effection` and `zod` lent to them.
 * What is wrong with them comes as problems at their authors' lines.
 *
 * @param paths relative to `cwd`
 * @param run where they run: in this thread, unless it says otherwise
 * @param keeps what is built is kept for the next time, and taken where nothing has changed
 */
export function* loadModules(
  paths: readonly string[],
  cwd: string,
  run: RunModules = runInHost,
  keeps = false,
): Operation<LoadedModules> {
  const stackMaps = createStackMaps();
  // What their code throws later is said with its lines, too.
  placeWith(stackMaps.inWords);
  const { present, problems } = yield* existing([...new Set(paths.map((path) => resolve(cwd, path)))]);
  if (present.length === 0) return { modules: [], problems };

  const folder = commonFolder(present);
  const began = Date.now();
  const bundled = (keeps && (yield* until(keptBundle(present, folder)))) || (yield* built(present, folder));
  if (keeps && bundled.inputs) yield* until(keepBundle(present, folder, bundled, began));
  problems.push(...bundled.problems);
  if (!bundled.bundle) return { modules: [], problems };

  const modules: LoadedModule[] = [];
  const version = bundleVersion(bundled.bundle);
  for (const [file, loaded] of yield* run(bundled.bundle, present, { folder, outDir: folder, stackMaps })) {
    if (loaded.kind !== 'loaded') {
      problems.push(yield* loadProblem(file, loaded.error, stackMaps));
      continue;
    }
    const text = yield* until(readFile(file, 'utf8').catch(() => ''));
    modules.push({ file, text, exports: loaded.exports });
    for (const tool of exportedTools(loaded.exports)) noteCodeVersion(toolOf(tool), version);
  }
  return { modules, problems, views: bundled.views, ...defined({ inputs: bundled.inputs }) };
}

/** What builds them is loaded where something is to be built. */
function* built(files: readonly string[], folder: string): Operation<Bundled> {
  const [{ bundleModules }, { useBundler }] = yield* until(
    Promise.all([import('./bundle-modules.ts'), import('./bundler.ts')]),
  );
  return yield* scoped(function* () {
    return yield* bundleModules(yield* useBundler(folder), files, folder);
  });
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

/** A problem of a file as a whole. */
export function problemOf(file: string, message: string): Problem {
  return { kind: 'load', severity: 'error', file, line: 1, column: 1, length: 0, message };
}

/** The folder that all these files are in. */
export function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '');
  const holdsAll = () => files.every((file) => file.startsWith(folder.endsWith(sep) ? folder : folder + sep));
  while (!holdsAll() && folder !== dirname(folder)) folder = dirname(folder);
  return folder;
}
