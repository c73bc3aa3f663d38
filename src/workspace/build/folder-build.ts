import { join, relative, resolve, sep } from 'node:path';
import { type Operation, resource, until } from 'effection';
import type { Message, Metafile } from 'esbuild';
import { buildAround, fileOfMessage } from '../bundler/build-around.ts';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import { inputsOf } from '../bundler/import-graph.ts';
import { pathBelow } from '../files/path-below.ts';
import type { BuildCache } from './build-cache.ts';
import { filesOf, lentTo, type MemoryBuild, modulesOf, viewsOf } from './build-outputs.ts';
import { buildProblems, misread } from './build-problems.ts';
import type { FailedBuild, FolderBuild } from './built-folder.ts';
import { forgottenProblems } from './forgotten-problems.ts';
import { OUTPUT_FOLDER, useHostBuild } from './host-build.ts';
import { type LastBuild, usePartBuild } from './part/part-build.ts';
import { createToCommonJs } from './to-common-js.ts';
import { useViewBuild } from './views/view-build.ts';
import type { SourceRoot, ViewFiles } from './views/view-plugin.ts';

/** Builds the tool files of one folder, again and again. */
export interface FolderBuilder {
  /** Where outputs would lie: what source maps are relative to. */
  readonly outDir: string;
  /** @param changed paths of all that has changed since the last build, where that is known */
  build(
    files: readonly string[],
    changed?: ReadonlySet<string> | 'all',
  ): Operation<FolderBuild | FailedBuild>;
  /** Whether the next build is an incremental one, and so a quick one. */
  readonly isWarm: boolean;
  /** Keeps the last build for the next window, if everything could be built. */
  keep(): Operation<void>;
}

/** The incremental builds of a folder, for the host and for the page. */
export function useFolderBuilder(
  service: EsbuildService,
  root: SourceRoot,
  cache?: BuildCache,
): Operation<FolderBuilder> {
  return resource(function* (provide) {
    const broken = new Set<string>();
    const views: ViewFiles = new Map();
    const hostInput = { root, files: [] as readonly string[], broken, views };
    const host = yield* useHostBuild(service, hostInput);
    const page = yield* useViewBuild(service, { root, views, broken });
    const commonJs = createToCommonJs(service);
    const outDir = join(root.dir, OUTPUT_FOLDER);
    const parts = yield* usePartBuild(service, { root, commonJs, outDir });
    let isFirst = true;
    let isWarm = false;
    let toKeep: LastBuild | undefined;

    yield* provide({
      outDir,
      get isWarm() {
        return isWarm;
      },
      *build(files, changed = 'all') {
        const kept = isFirst && cache ? yield* cache.read(files) : undefined;
        isFirst = false;
        if (kept) {
          commonJs.remember(kept.modules);
          return kept;
        }
        const part = yield* partOf(files, changed);
        if (part) {
          toKeep = part;
          return part.build;
        }
        toKeep = undefined;
        const build = yield* buildNow(files);
        isWarm = true;
        return build;
      },
      *keep() {
        yield* parts.look();
        const keeping = toKeep;
        toKeep = undefined;
        if (cache && keeping) yield* cache.write(keeping.files, keeping.build, keeping.began);
      },
    });

    function* partOf(files: readonly string[], changed: ReadonlySet<string> | 'all') {
      if (changed === 'all' || (yield* until(forgottenProblems(changed))).length > 0) return undefined;
      return yield* parts.build(files, changed);
    }

    function* buildNow(files: readonly string[]): Operation<FolderBuild | FailedBuild> {
      const began = Date.now();
      parts.forget();
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
        if (spoiled.length === 0) {
          const build = yield* finish(built.result, shown?.result, errors);
          if (build.problems.length > 0) return build;
          toKeep = { files, build, began };
          parts.remember(toKeep, built.result.metafile, shown?.result?.metafile);
          return build;
        }
        for (const view of spoiled) broken.add(view);
      }
    }

    function spoiledViews(metafile: Metafile): string[] {
      return [...views.keys()].filter((view) => {
        const needed = [...inputsOf(metafile, pathBelow(root.dir, view))];
        return needed.some((input) => broken.has(resolve(root.dir, input)));
      });
    }

    /** What stands in for a broken file is not its author's. */
    function ofAuthors(warnings: readonly Message[]): readonly Message[] {
      return warnings.filter((warning) => !broken.has(fileOfMessage(warning, root.dir) ?? ''));
    }

    /** Esbuild takes a backslash for a slash everywhere. */
    function isMisread(file: string): boolean {
      return sep === '/' && relative(root.dir, file).includes('\\');
    }

    function failed(errors: readonly Message[]): FailedBuild {
      return { files: undefined, problems: buildProblems(errors, 'error', root.dir) };
    }

    function* finish(
      hostBuild: MemoryBuild,
      pageBuild: MemoryBuild | undefined,
      errors: readonly Message[],
    ): Operation<FolderBuild> {
      const built = pageBuild && viewsOf(pageBuild);
      const inputs = [hostBuild, pageBuild]
        .flatMap((build) => Object.keys(build?.metafile.inputs ?? {}))
        // What plugins made up is no file.
        .filter((input) => !/^parley[\w-]*:/.test(input))
        .map((input) => resolve(root.dir, input));
      return {
        files: filesOf(hostBuild.metafile, root.dir, { wanted: new Set(hostInput.files), broken }),
        modules: yield* commonJs.convert(modulesOf(hostBuild, root.dir, built?.hash ?? ''), outDir),
        lent: lentTo(hostBuild.metafile),
        views: built,
        problems: [
          ...buildProblems(errors, 'error', root.dir),
          ...hostInput.files.filter(isMisread).map(misread),
          ...buildProblems(ofAuthors(hostBuild.warnings), 'warning', root.dir),
          ...(yield* until(forgottenProblems(new Set(inputs)))),
        ],
        inputs: new Set(inputs),
      };
    }
  });
}
