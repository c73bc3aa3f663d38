import { readFile } from 'node:fs/promises';
import { type Operation, resource, until } from 'effection';
import { toolOf } from '../../core/plugin/offer.ts';
import { isUnended, type Unended } from '../../core/plugin/unended.ts';
import { createBuildCache } from '../build/build-cache.ts';
import type { BuiltFile, FolderBuild } from '../build/built-folder.ts';
import { useFolderBuilder } from '../build/folder-build.ts';
import { type SourceRoot, VIEW_FILE } from '../build/views/view-plugin.ts';
import { isBrokenFile } from '../bundler/broken-files.ts';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import { findToolFiles, TOOLS_FOLDER } from '../files/find-tool-files.ts';
import { printsOf, wasChangedBefore } from '../files/print-of.ts';
import type { Problem, SourceLocation } from '../registry/problem.ts';
import type { Offering } from '../registry/registry.ts';
import { exportedTools } from './exported-tools.ts';
import { type FileTools, folderOffers } from './folder-tools.ts';
import { bothOrders, type HeldFiles, type LoadOrder } from './held-files.ts';
import { createHostRealm } from './host-realm.ts';
import { loadProblem, notEnded, notFollowed } from './load-problems.ts';
import { locateTool } from './locate.ts';
import type { StackMaps } from './stack-maps.ts';
import type { LoadedFile, UseRealm } from './tool-realm.ts';
import { useViewStore } from './view-store.ts';

/** What a folder holds after a load. */
export interface FolderLoad extends Offering {
  readonly problems: readonly Problem[];
  /** Every file that was read, and so can change the result. */
  readonly inputs: ReadonlySet<string>;
}

/** Loads the tools of a folder. */
export interface FolderLoader {
  /** One load at a time. What cannot be loaded any more stays as it was the last time it could; so does what is held. */
  load(order?: LoadOrder): Operation<FolderLoad>;
  /** What is loaded of the file that defines a tool, or of one that is made of it. */
  about(file: string): LoadedVersion | undefined;
  /** Whether a tool file runs apart only because nobody has run or edited it: its next load may put it where it wants to be. */
  isDisplaced(file: string): boolean;
  /**
   * Files that are others than those that were loaded, or may be: of those that a tool file is made of, or of all. By the files: events
   * of a change may be late, or never come.
   */
  behind(file?: string): Operation<readonly string[]>;
  /** Whether the next load is a quick one. */
  readonly isWarm: boolean;
  /** Keeps what the last load has built, and looks at its files to know them again. */
  keep(): Operation<void>;
}

/** A tool file as it runs. */
export interface LoadedVersion {
  /** The author's files that it and its views are made of. */
  readonly sources: ReadonlySet<string>;
  /** When it was loaded, in epoch milliseconds. */
  readonly loadedAt: number;
  /** Whether what is on disk could not be loaded after that. */
  readonly failed: boolean;
}

/** What a loader needs. */
export interface FolderLoaderOptions {
  readonly root: SourceRoot;
  readonly include?: () => readonly string[];
  /** Where view bundles go. */
  readonly outDir: string;
  readonly service: EsbuildService;
  readonly stackMaps: StackMaps;
  /** Where the last build is kept for the next time. */
  readonly cacheFile: string | undefined;
  /** Where the tools run; in this process unless it says otherwise. */
  readonly useRealm: UseRealm | undefined;
  readonly held: HeldFiles;
}

/** The loader of a folder as a resource. */
export function useFolderLoader(options: FolderLoaderOptions): Operation<FolderLoader> {
  const { root, include, outDir, service, stackMaps, cacheFile, useRealm, held } = options;
  return resource(function* (provide) {
    const builder = yield* useFolderBuilder(
      service,
      root,
      cacheFile === undefined ? undefined : createBuildCache(cacheFile, root.dir),
    );
    const realmOptions = { folder: root.dir, outDir: builder.outDir, stackMaps };
    const realm = useRealm ? yield* useRealm(realmOptions) : createHostRealm(realmOptions);
    const views = yield* useViewStore(outDir, { stackMaps, sources: builder.outDir });
    /** What loads were told that came to nothing. */
    let owed: LoadOrder = {};
    let good: ReadonlyMap<string, FileTools> = new Map();
    let inputs: ReadonlySet<string> = new Set();
    /** The authors' files that only views are made of. */
    let ofPage: readonly string[] = [];
    /** The tool files that the last load found, whatever came of them. */
    let seen: readonly string[] = [];
    let failed: ReadonlySet<string> = new Set();
    let displaced: ReadonlySet<string> = new Set();
    /** Files that have not changed since are loaded as they are, in epoch milliseconds. Nothing is while a load has come to nothing. */
    let loadedAsOf = Number.NEGATIVE_INFINITY;
    let prints: ReadonlyMap<string, string> = new Map();

    const about = (file: string) => {
      const files = [...good.values()];
      const found = files.find((one) => one.file === file) ?? files.find(({ sources }) => sources.has(file));
      return found && { ...found, sources: madeOf(found), failed: failed.has(found.file) };
    };

    /** With what only the page has of its views, as far as that is known: all views are built together. */
    const madeOf = ({ sources }: FileTools): ReadonlySet<string> =>
      [...sources].some((source) => VIEW_FILE.test(source)) ? new Set([...sources, ...ofPage]) : sources;

    const printed = (found: readonly string[]) =>
      until(printsOf(new Set([...found, ...[...good.values()].flatMap((one) => [...madeOf(one)])])));

    yield* provide({
      get isWarm() {
        return builder.isWarm;
      },
      *keep() {
        yield* builder.keep();
        prints = yield* printed(seen);
        yield* held.remember();
      },
      isDisplaced: (file) => displaced.has(file),
      *behind(file) {
        const now =
          file === undefined
            ? yield* printed((yield* findToolFiles(root.dir, include?.())).files)
            : yield* until(printsOf(about(file)?.sources ?? []));
        // One that changed while it was loaded may have been read before that.
        const isOther = ([path, print]: readonly [string, string]) =>
          print !== prints.get(path) || !wasChangedBefore(print, loadedAsOf);
        return [...now].filter(isOther).map(([path]) => path);
      },
      about,
      *load(order = {}) {
        const began = Date.now();
        loadedAsOf = Number.NEGATIVE_INFINITY;
        const loaded = yield* loadAll(order);
        loadedAsOf = began;
        return loaded;
      },
    });

    function* loadAll(order: LoadOrder): Operation<FolderLoad> {
      owed = bothOrders(owed, order);
      const { files, links } = yield* findToolFiles(root.dir, include?.());
      seen = files;
      if (files.length > 0) realm.prepare?.();
      const build = files.length > 0 ? yield* builder.build(files, owed.changed) : EMPTY;
      if (build.files === undefined) {
        failed = new Set(good.keys());
        return { tools: offers(), problems: [...build.problems, ...links.map(notFollowed)], inputs };
      }

      const entries = yield* held.take(build, owed);
      owed = {};
      const loaded = yield* realm.load({
        modules: build.modules,
        lent: build.lent,
        entries: new Map(entries.map(([path, file]) => [path, file.module])),
        vouched: held.vouched,
      });
      displaced = new Set([...loaded].flatMap(([path, file]) => (isDisplaced(file) ? [path] : [])));
      const next = new Map([...good].filter(([path]) => held.has(path)));
      const found = [...build.problems, ...held.problems(), ...links.map(notFollowed)];
      const problems = new Map(found.map((problem) => [placeKey(problem), problem]));
      const isNew = (path: string, file: LoadedFile) =>
        file.kind === 'loaded' && (file.changed || !good.has(path));
      const texts = yield* textsOf([...loaded].flatMap(([path, file]) => (isNew(path, file) ? [path] : [])));
      for (const [path, file] of entries) {
        const outcome = loaded.get(path);
        const before = good.get(path);
        if (outcome?.kind === 'loaded') next.set(path, fileTools(path, file, outcome, build, texts, before));
        else if (before) next.set(path, before);
        if (outcome?.kind !== 'threw' || isBrokenFile(outcome.error)) continue;
        const problem = yield* loadProblem(path, outcome.error, stackMaps);
        problems.set(placeKey(problem), problem);
      }
      const names = new Set([...next.values()].flatMap(({ tools }) => tools.map((one) => toolOf(one).name)));
      for (const [path, file] of loaded) {
        const unended = unendedIn(file, names);
        const text = unended.length > 0 ? ((yield* textsOf([path])).get(path) ?? '') : '';
        for (const [name, value] of unended) {
          const problem = notEnded(path, text, name, value);
          problems.set(placeKey(problem), problem);
        }
      }
      good = next;
      failed = new Set([...loaded].flatMap(([path, { kind }]) => (kind === 'threw' ? [path] : [])));
      inputs = build.inputs;
      const ofHost = new Set([...good.values()].flatMap((one) => [...one.sources]));
      ofPage = [...inputs].filter((input) => !ofHost.has(input) && !/[\\/]node_modules[\\/]/.test(input));
      const hashes = new Set([...good.values()].flatMap(({ viewHash }) => viewHash ?? []));
      const bundle = build.views && (yield* views.write(build.views, hashes));
      return {
        tools: offers(),
        problems: [...problems.values()],
        inputs,
        ...(bundle && { views: bundle }),
      };
    }

    function offers() {
      return folderOffers([...good.values()]);
    }
  });
}

const EMPTY: FolderBuild = {
  files: new Map(),
  modules: new Map(),
  lent: new Set(),
  views: undefined,
  problems: [],
  inputs: new Set([TOOLS_FOLDER]),
};

function isDisplaced(file: LoadedFile): boolean {
  return file.kind === 'loaded' && file.displaced === true;
}

/** What a file exports that was begun and not ended, unless a tool of that name was made of it. */
function unendedIn(file: LoadedFile, names: ReadonlySet<string>): ReadonlyArray<readonly [string, Unended]> {
  if (file.kind !== 'loaded') return [];
  return Object.entries(file.exports).flatMap(([name, value]) => {
    const tool = isUnended(value) ? /^tool '(.+)'$/.exec(value.of)?.[1] : undefined;
    return isUnended(value) && tool !== undefined && !names.has(tool) ? [[name, value] as const] : [];
  });
}

/** One problem for a place, however many files run into it. */
function placeKey({ file, line, column, message }: Problem): string {
  return JSON.stringify([file, line, column, message]);
}

/** The tools of a file that could be loaded; with the places of before where the file is the same. */
function fileTools(
  path: string,
  { sources, module }: BuiltFile,
  { exports, changed }: Extract<LoadedFile, { kind: 'loaded' }>,
  { views, modules }: FolderBuild,
  texts: ReadonlyMap<string, string>,
  before: FileTools | undefined,
): FileTools {
  const tools = exportedTools(exports);
  const same = !changed && before !== undefined;
  const places = same
    ? before.places
    : placesIn(
        path,
        texts.get(path) ?? '',
        tools.map((tool) => toolOf(tool).name),
      );
  const loadedAt = same ? before.loadedAt : Date.now();
  const version = modules.get(module)?.version;
  return { file: path, tools, version, sources, places, viewHash: views?.hash, loadedAt };
}

/** All at once: one after the other, two hundred take longer than to run them. */
function* textsOf(files: readonly string[]): Operation<ReadonlyMap<string, string>> {
  const reading = files.map(async (file) => [file, await readFile(file, 'utf8').catch(() => '')] as const);
  return new Map(yield* until(Promise.all(reading)));
}

function placesIn(file: string, text: string, names: readonly string[]): ReadonlyMap<string, SourceLocation> {
  const places = new Map<string, SourceLocation>();
  for (const name of names) {
    // Of two of one name the second is the one that is not used.
    const isSecond = places.has(name);
    const place = locateTool(text, name, isSecond ? 'last' : 'first');
    if (place)
      places.set(isSecond ? `${name} again` : name, { file, line: place.line, column: place.column });
  }
  return places;
}
