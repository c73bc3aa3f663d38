import { join, relative, resolve, sep } from 'node:path';
import { type Operation, resource } from 'effection';
import type { BuildResult, Message, Metafile } from 'esbuild';
import { buildAround } from './build-around.ts';
import { buildProblems } from './build-problems.ts';
import type { BuiltModule, EsModule } from './built-module.ts';
import type { EsbuildService } from './esbuild-service.ts';
import { OUTPUT_FOLDER, useHostBuild } from './host-build.ts';
import { inputsOf, reachable } from './import-graph.ts';
import type { Problem } from './problem.ts';
import { createToCommonJs } from './to-common-js.ts';
import { useViewBuild } from './view-build.ts';
import type { SourceRoot, ViewFiles } from './view-plugin.ts';
import { buildHash, stamp } from './view-stamp.ts';

/** A tool file as the build knows it. */
export interface BuiltFile {
  /** The module to load. */
  readonly module: string;
  /** The author's files that it is made of; packages left out. */
  readonly sources: ReadonlySet<string>;
  /** Whether it can hold a tool: it reaches `parley-mcp`, or a file that cannot be built. */
  readonly relevant: boolean;
}

/** The views of a build, as they go to disk. */
export interface BuiltViews {
  readonly hash: string;
  readonly script: string;
  readonly style: string | undefined;
  readonly map: string;
}

/** What a build of a folder's tool files gives: everything that could be built, and the problems of the rest. */
export interface FolderBuild {
  readonly files: ReadonlyMap<string, BuiltFile>;
  readonly modules: ReadonlyMap<string, BuiltModule>;
  /** What the modules need from Parley. */
  readonly lent: ReadonlySet<string>;
  readonly views: BuiltViews | undefined;
  readonly problems: readonly Problem[];
  /** Every file that was read, packages included. */
  readonly inputs: ReadonlySet<string>;
}

/** Nothing could be built, and the errors cannot be put down to single files. */
export interface FailedBuild {
  readonly files: undefined;
  readonly problems: readonly Problem[];
}

/** Builds the tool files of one folder, again and again. */
export interface FolderBuilder {
  /** Where outputs would lie: what source maps are relative to. */
  readonly outDir: string;
  build(files: readonly string[]): Operation<FolderBuild | FailedBuild>;
}

type Result = BuildResult<{ metafile: true; write: false }>;

/** The incremental builds of a folder, for the host and for the page. */
export function useFolderBuilder(service: EsbuildService, root: SourceRoot): Operation<FolderBuilder> {
  return resource(function* (provide) {
    const broken = new Set<string>();
    const views: ViewFiles = new Map();
    const hostInput = { root, files: [] as readonly string[], broken, views };
    const host = yield* useHostBuild(service, hostInput);
    const page = yield* useViewBuild(service, { root, views, broken });
    const commonJs = createToCommonJs(service);
    const outDir = join(root.dir, OUTPUT_FOLDER);

    yield* provide({
      outDir,
      *build(files) {
        broken.clear();
        hostInput.files = files;
        const errors: Message[] = [];
        for (;;) {
          const built = yield* buildAround(host, broken, root.dir);
          errors.push(...built.errors);
          if (built.result === undefined) return failed(errors);
          const shown = views.size > 0 ? yield* buildAround(page, broken, root.dir) : undefined;
          errors.push(...(shown?.errors ?? []));
          if (shown && shown.result === undefined) return failed(errors);
          // A view that needs a broken file is broken itself; its tools keep the version they had.
          const spoiled = shown?.result ? spoiledViews(shown.result.metafile) : [];
          if (spoiled.length === 0) return yield* finish(built.result, shown?.result, errors);
          for (const view of spoiled) broken.add(view);
        }
      },
    });

    function failed(errors: readonly Message[]): FailedBuild {
      return { files: undefined, problems: buildProblems(errors, 'error', root.dir) };
    }

    function spoiledViews(metafile: Metafile): string[] {
      return [...views.keys()].filter((view) => {
        const needed = [...inputsOf(metafile, pathIn(view))].map((input) => resolve(root.dir, input));
        return needed.some((input) => broken.has(input));
      });
    }

    function* finish(hostResult: Result, pageResult: Result | undefined, errors: readonly Message[]) {
      const built = pageResult && viewsOf(pageResult);
      const modules = esModules(hostResult, built?.hash ?? '');
      const inputs = [hostResult, pageResult].flatMap((result) => Object.keys(result?.metafile.inputs ?? {}));
      return {
        files: filesOf(hostResult.metafile),
        modules: yield* commonJs.convert(modules, outDir),
        lent: lentTo(hostResult.metafile),
        views: built,
        problems: [
          ...buildProblems(errors, 'error', root.dir),
          ...buildProblems(hostResult.warnings, 'warning', root.dir),
        ],
        inputs: new Set(inputs.map((input) => resolve(root.dir, input))),
      };
    }

    function esModules({ outputFiles, metafile }: Result, hash: string): Map<string, EsModule> {
      return new Map(
        outputFiles.flatMap(({ path, text }) => {
          const output = metafile.outputs[pathIn(path)];
          if (output === undefined || output.entryPoint === 'parley:parley:entry') return [];
          const name = relative(outDir, path);
          const imports = output.imports
            .filter((imported) => !imported.external && imported.kind !== 'dynamic-import')
            .map((imported) => relative(OUTPUT_FOLDER, imported.path));
          const [only] = Object.keys(output.inputs);
          const source = output.entryPoint ?? only;
          const module = { name, text: stamp(text, hash), imports };
          return [[name, { ...module, source: source && resolve(root.dir, source) }] as const];
        }),
      );
    }

    function filesOf({ outputs }: Metafile): Map<string, BuiltFile> {
      const files = new Map<string, BuiltFile>();
      const wanted = new Set(hostInput.files);
      for (const [path, output] of Object.entries(outputs)) {
        if (output.entryPoint === undefined) continue;
        const file = resolve(root.dir, output.entryPoint);
        if (!wanted.has(file)) continue;
        const parts = reachable(
          path,
          (part) => outputs[part]?.imports.map((imported) => imported.path) ?? [],
        );
        const inputs = [...parts].flatMap((part) => Object.keys(outputs[part]?.inputs ?? {}));
        const sources = new Set(inputs.map((input) => resolve(root.dir, input)));
        files.set(file, {
          module: relative(OUTPUT_FOLDER, path),
          sources: new Set([...sources].filter((source) => !/[\\/]node_modules[\\/]/.test(source))),
          relevant: parts.has('parley-mcp') || [...sources].some((source) => broken.has(source)),
        });
      }
      return files;
    }

    /** How a metafile names a file. */
    function pathIn(file: string): string {
      return relative(root.dir, file).split(sep).join('/');
    }
  });
}

function lentTo({ outputs }: Metafile): ReadonlySet<string> {
  const external = Object.values(outputs).flatMap(({ imports }) =>
    imports.filter((imported) => imported.external),
  );
  return new Set(external.map(({ path }) => path));
}

function viewsOf({ outputFiles }: Result): BuiltViews {
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text;
  const script = text('.js') ?? '';
  const style = text('.css');
  const hash = buildHash([
    { path: 'views.js', text: script },
    { path: 'views.css', text: style ?? '' },
  ]);
  return { hash, script: stamp(script, hash), style, map: text('.js.map') ?? '' };
}
