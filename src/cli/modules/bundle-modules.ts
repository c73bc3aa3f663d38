import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Operation, until } from 'effection';
import { buildProblems } from '../../workspace/build/build-problems.ts';
import { forgottenProblems } from '../../workspace/build/forgotten-problems.ts';
import { LENT_TO_HOST } from '../../workspace/build/lent-modules.ts';
import { lentModules } from '../../workspace/build/lent-plugin.ts';
import { literally } from '../../workspace/build/literally.ts';
import { type SourceRoot, type ViewFiles, viewReferences } from '../../workspace/build/views/view-plugin.ts';
import type { Esbuild } from '../../workspace/bundler/esbuild-service.ts';
import { pathBelow } from '../../workspace/files/path-below.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import type { BuildMessage, BundlerPlugin, Loader } from './bundler.ts';

/** Modules as one piece of CommonJS whose export is a list of functions, one a module, that load it. */
export interface ModuleBundle {
  readonly code: string;
  /** Its source map; sources are relative to the folder. */
  readonly map: string;
  /** What it needs from Parley. */
  readonly lent: readonly string[];
  /** The files of the modules, each after those of them that it imports. */
  readonly importedFirst: readonly string[];
}

/** The views that modules import. */
export interface ModuleViews {
  readonly root: SourceRoot;
  readonly files: ViewFiles;
}

/** What came of bundling. Without a bundle nothing could be built. */
export interface Bundled {
  readonly views: ModuleViews;
  readonly bundle: ModuleBundle | undefined;
  readonly problems: readonly Problem[];
  /** The files that are in it. */
  readonly inputs?: readonly string[];
}

/**
 * Bundles modules with everything they import, but what Parley lends them. One piece, so that a module which two others
 * import is one module; each is run only when it is asked for, so that one that fails does not take the others along.
 */
export function* bundleModules(
  esbuild: Esbuild,
  files: readonly string[],
  folder: string,
): Operation<Bundled> {
  const views: ModuleViews = { root: { id: folder, dir: folder }, files: new Map() };
  const building = esbuild.build({
    absWorkingDir: folder,
    stdin: {
      contents: `module.exports = [${files.map((file) => `() => require(${JSON.stringify(file)})`).join(', ')}];`,
      resolveDir: folder,
      sourcefile: 'parley-modules.cjs',
    },
    outfile: join(folder, 'parley-modules.cjs'),
    bundle: true,
    write: false,
    metafile: true,
    format: 'cjs',
    platform: 'node',
    target: `node${process.versions.node}`,
    jsx: 'automatic',
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    logLevel: 'silent',
    loader: { '.css': 'empty', '.svg': 'text', '.md': 'text', '.txt': 'text' },
    plugins: [lentModules(), viewReferences(views.root, views.files), ownPlaces()],
  });
  const outcome = yield* until(building.catch((failure: { errors?: readonly BuildMessage[] }) => failure));
  if (!('outputFiles' in outcome)) {
    if (!outcome.errors) throw outcome;
    const unbuilt = buildProblems(outcome.errors, 'error', folder);
    return { views, bundle: undefined, problems: [...unbuilt, ...(yield* until(forgottenProblems(files)))] };
  }
  const text = (end: string) => outcome.outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  const imports = Object.values(outcome.metafile.outputs).flatMap((output) => output.imports);
  const inputs = Object.keys(outcome.metafile.inputs).map((input) => join(folder, input));
  const external = new Set(imports.filter((one) => one.external).map(({ path }) => path));
  return {
    views,
    inputs,
    bundle: {
      code: text('.cjs'),
      map: text('.map'),
      lent: [...external].filter((path) => path in LENT_TO_HOST),
      importedFirst: importedFirst(files, outcome.metafile.inputs, folder),
    },
    problems: [
      ...buildProblems(outcome.warnings, 'warning', folder),
      ...(yield* until(forgottenProblems(inputs))),
    ],
  };
}

type Inputs = Readonly<Record<string, { readonly imports: ReadonlyArray<{ readonly path: string }> }>>;

function importedFirst(files: readonly string[], inputs: Inputs, folder: string): readonly string[] {
  const named = new Map(files.map((file) => [pathBelow(folder, file), file]));
  const seen = new Set<string>();
  const ordered: string[] = [];
  const visit = (name: string) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const { path } of inputs[name]?.imports ?? []) visit(path);
    const file = named.get(name);
    if (file !== undefined) ordered.push(file);
  };
  for (const name of named.keys()) visit(name);
  return ordered;
}

const LOADERS: Readonly<Record<string, Loader>> = { ts: 'ts', mts: 'ts', cts: 'ts', tsx: 'tsx', jsx: 'jsx' };

/** `import.meta` of a module says where its author put it, not where the bundle is. */
function ownPlaces(): BundlerPlugin {
  return {
    name: 'parley-own-places',
    setup(build) {
      literally(build);
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        if (/[\\/]node_modules[\\/]/.test(path)) return undefined;
        const text = await readFile(path, 'utf8');
        if (!text.includes('import.meta')) return undefined;
        const contents = text
          .replace(/\bimport\.meta\.url\b/g, JSON.stringify(pathToFileURL(path).href))
          .replace(/\bimport\.meta\.filename\b/g, JSON.stringify(path))
          .replace(/\bimport\.meta\.dirname\b/g, JSON.stringify(dirname(path)));
        return { contents, loader: LOADERS[path.split('.').at(-1) ?? ''] ?? 'js', resolveDir: dirname(path) };
      });
    },
  };
}
