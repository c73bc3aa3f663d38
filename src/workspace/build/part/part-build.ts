import { resolve } from 'node:path';
import { type Operation, resource, until } from 'effection';
import type { Metafile } from 'esbuild';
import type { EsbuildService } from '../../bundler/esbuild-service.ts';
import { printsOf, wasChangedBefore } from '../../files/print-of.ts';
import { filesOf, lentTo, type MemoryBuild, modulesOf } from '../build-outputs.ts';
import type { FolderBuild } from '../built-folder.ts';
import { useHostBuild } from '../host-build.ts';
import type { ToCommonJs } from '../to-common-js.ts';
import { type SourceRoot, VIEW_FILE, type ViewFiles } from '../views/view-plugin.ts';
import { type MadeOf, madeOf, sharing } from './made-of.ts';

/** A build of a folder, and what it was made of. */
export interface LastBuild {
  /** All tool files of the folder. */
  readonly files: readonly string[];
  readonly build: FolderBuild;
  /** When it began, in epoch milliseconds. */
  readonly began: number;
}

/** Builds again what a change concerns, and keeps the rest. */
export interface PartBuild {
  /**
   * The folder as it is now that these paths have changed. Nothing where only a build of everything can say that: what was
   * built last had problems, or something else has changed, too.
   */
  build(files: readonly string[], changed: ReadonlySet<string>): Operation<LastBuild | undefined>;
  /** Tells of a build of everything, for the host and, where there are views, for the page. */
  remember(last: LastBuild, host: Metafile, page: Metafile | undefined): void;
  /** There is no last build that could be kept. */
  forget(): void;
  /** Looks at the files that the last build was made of, to know them again. When there is time. */
  look(): Operation<void>;
}

/** What the parts of a folder are built with. */
export interface PartBuildOptions {
  readonly root: SourceRoot;
  readonly commonJs: ToCommonJs;
  readonly outDir: string;
}

/**
 * Builds parts of a folder. A part is a few tool files with all that share a file with them, so that nothing of it is in what is
 * kept. The bundler would find that most of two hundred files are as they were, and link and print them all the same, which is
 * nearly all of what a save took.
 */
export function usePartBuild(
  service: EsbuildService,
  { root, commonJs, outDir }: PartBuildOptions,
): Operation<PartBuild> {
  return resource(function* (provide) {
    const views: ViewFiles = new Map();
    const input = { root, files: [] as readonly string[], broken: new Set<string>(), views };
    const bundler = yield* useHostBuild(service, input);
    let last: LastBuild | undefined;
    let made: () => ReadonlyMap<string, MadeOf> = () => new Map();
    let shown: ReadonlySet<string> = new Set();
    let prints: ReadonlyMap<string, string> = new Map();

    yield* provide({
      *build(files, changed) {
        if (!last || !(yield* isAllThatChanged(last, files, changed))) return undefined;
        if ([...changed].some((path) => shown.has(path))) return undefined;
        const before = made();
        const part = sharing(before, changed);
        if (part.size === 0 || part.size * 2 > files.length) return undefined;
        const began = Date.now();
        input.files = [...part];
        const attempt = yield* bundler.run();
        if (!('result' in attempt) || attempt.result.warnings.length > 0) return undefined;
        const now = new Map([...before, ...madeOf(attempt.result.metafile, root.dir, input.files)]);
        if (views.size > 0 || !isApart(part, before, now)) return undefined;
        const build = yield* joined(last.build, attempt.result, part, before);
        if (!build) return undefined;
        commonJs.remember(build.modules);
        last = { files, build, began };
        made = () => now;
        return last;
      },
      remember(whole, host, page) {
        last = whole;
        shown = new Set(Object.keys(page?.inputs ?? {}).map((input) => resolve(root.dir, input)));
        let found: ReadonlyMap<string, MadeOf> | undefined;
        // With the first save: until then it is of no use.
        made = () => {
          found ??= madeOf(host, root.dir, whole.files);
          return found;
        };
      },
      forget() {
        last = undefined;
      },
      *look() {
        prints = last ? yield* until(printsOf(last.build.inputs)) : new Map();
      },
    });

    /** Whether nothing but these paths is another than when it was built. */
    function* isAllThatChanged(
      { files: then, build, began }: LastBuild,
      files: readonly string[],
      changed: ReadonlySet<string>,
    ): Operation<boolean> {
      if (then.length !== files.length || then.some((file, index) => file !== files[index])) return false;
      const now = yield* until(printsOf(new Set([...build.inputs, ...changed])));
      for (const [path, print] of now) {
        const isInput = build.inputs.has(path);
        // What is not there, and was no part of it, is what an editor wrote beside a file on the way.
        if (changed.has(path) ? !isInput && print !== '' : print !== prints.get(path)) return false;
      }
      // A file that changed while it was built, or a moment later, is not known.
      return [...build.inputs].every(
        (path) => changed.has(path) || wasChangedBefore(prints.get(path) ?? '', began),
      );
    }

    /** What was kept, with what was built in the place of the part. */
    function* joined(
      kept: FolderBuild,
      result: MemoryBuild,
      part: ReadonlySet<string>,
      before: ReadonlyMap<string, MadeOf>,
    ): Operation<FolderBuild | undefined> {
      const gone = new Set([...part].flatMap((file) => [...(before.get(file)?.modules ?? [])]));
      const rest = [...kept.modules].filter(([name]) => !gone.has(name));
      const parts = modulesOf(result, root.dir, kept.views?.hash ?? '');
      if (rest.some(([name]) => parts.has(name))) return undefined;
      const modules = yield* commonJs.convert(parts, outDir);
      const built = filesOf(result.metafile, root.dir, { wanted: part, broken: input.broken });
      const reached = [...madeOf(result.metafile, root.dir, [...part]).values()];
      return {
        ...kept,
        files: new Map([...kept.files].map(([file, one]) => [file, built.get(file) ?? one])),
        modules: new Map([...rest, ...modules]),
        lent: new Set([...kept.lent, ...lentTo(result.metafile)]),
        inputs: new Set([...kept.inputs, ...reached.flatMap(({ inputs }) => [...inputs])]),
      };
    }
  });
}

/** Whether a part, before and now, shares nothing with the other files, and has no view: views are one bundle. */
function isApart(
  part: ReadonlySet<string>,
  before: ReadonlyMap<string, MadeOf>,
  now: ReadonlyMap<string, MadeOf>,
): boolean {
  const inputsOf = (made: ReadonlyMap<string, MadeOf>) =>
    [...part].flatMap((file) => [...(made.get(file)?.inputs ?? [])]);
  if (inputsOf(before).some((path) => VIEW_FILE.test(path))) return false;
  const own = new Set(inputsOf(now));
  return [...now].every(([file, { inputs }]) => part.has(file) || ![...inputs].some((path) => own.has(path)));
}
