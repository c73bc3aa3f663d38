import { realpath } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ensure, type Operation, resource, type Stream, until, withResolvers } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import { useChangedFiles } from '../files/changed-files.ts';
import { useCoalesced } from '../files/coalesced.ts';
import type { GitMoves } from '../files/git-moves.ts';
import { isRelevantChange } from '../files/relevant-change.ts';
import { sortGlobs } from '../files/usable-globs.ts';
import type { Problem } from '../registry/problem.ts';
import type { ToolRegistry } from '../registry/registry.ts';
import { type FolderLoad, type LoadedVersion, useFolderLoader } from './folder-loader.ts';
import {
  bothOrders,
  createHeldFiles,
  type LoadOrder,
  type NotAllowed,
  type OutsideChange,
} from './held-files.ts';
import { notUsed } from './load-problems.ts';
import type { StackMaps } from './stack-maps.ts';
import type { UseRealm } from './tool-realm.ts';

/** What the tools of a workspace folder need. */
export interface WorkspaceToolsOptions {
  /** Absolute path of the folder. The caller has made sure that it is trusted: its code is run. */
  readonly folder: string;
  /** Unique among the window's sources; the folder's path by default. */
  readonly id?: string;
  /** What people call the folder; its last part by default. */
  readonly label?: string;
  /** Position among the workspace's folders. */
  readonly order?: number;
  /** More tool files, as globs relative to the folder; asked again with each load. */
  readonly include?: () => readonly string[];
  /** A folder of its own for view bundles; it must be one that the page may load from. Emptied at both ends. */
  readonly outDir: string;
  readonly registry: ToolRegistry;
  readonly service: EsbuildService;
  readonly stackMaps: StackMaps;
  /**
   * Where the last build is kept for the next time this folder is opened. Then its tools are there at once, and no bundler
   * runs before {@link WorkspaceTools.warmUp} or a change.
   */
  readonly cacheFile?: string;
  /** Absolute paths of files that were made, changed or removed, wherever the caller hears of them. */
  readonly changes?: Stream<string, unknown>;
  /** The same for what the person does in the editor. A watcher tells of that, too, if it works, and some time later. */
  readonly edits?: Stream<string, unknown>;
  /**
   * Tells which changes are git's: those wait until the person runs their tool. With it all other changes that are not among `edits` wait,
   * too, until they are allowed; without it nothing waits.
   */
  readonly git?: GitMoves;
  /** Where the files are kept whose changes nobody has allowed. */
  readonly notAllowed?: NotAllowed;
  /** Where the tools run; in this process unless it says otherwise. */
  readonly useRealm?: UseRealm;
  /** Hears of each load that is over. */
  readonly onLoad?: (report: LoadReport) => void;
}

/** How a load went. */
export interface LoadReport {
  readonly folder: string;
  readonly milliseconds: number;
  readonly tools: number;
  readonly problems: readonly Problem[];
  /** Every file that was read, and so can change the tools. */
  readonly inputs: ReadonlySet<string>;
}

/** The tools of a workspace folder, loaded and kept up to date as long as the scope lives. */
export interface WorkspaceTools {
  /** The id of its source in the registry. */
  readonly id: string;
  /** The first load, which begins by itself. */
  readonly loaded: Operation<LoadReport>;
  /** Loads again and waits for it. Calls during a load share the next one. Files that wait do so unless the order lets them run. */
  reload(order?: LoadOrder): Operation<LoadReport>;
  /**
   * Loads what has changed in a file that is about to be used, and lets it run where it wants to: at once, when there is
   * nothing to do.
   */
  need(file: string): Operation<void>;
  /**
   * The same for other callers than the person, such as an agent that has just written that file: what waits until the person needs it
   * goes on waiting. Of all files, where none is named: it may be one that nobody has told of.
   */
  catchUp(file?: string): Operation<void>;
  /** Returns when all that was told of so far is loaded. */
  settled(): Operation<void>;
  /** What is loaded of the file that defines a tool. */
  about(file: string): LoadedVersion | undefined;
  /** Changes that wait until the person allows them, which {@link reload} is told. */
  outside(): readonly OutsideChange[];
  /** Starts the bundler in the background, if it is not running: a tool is about to be changed. */
  warmUp(): void;
}

/**
 * Loads a folder's tools into the registry, and again whenever one of their files changes; what git has put in place waits
 * until somebody needs it. The first load runs in the
 * background; `yield* tools.loaded` waits for it.
 *
 * @example
 * const service = yield* useEsbuild({ dir: esbuildDir });
 * yield* useWorkspaceTools({ folder, outDir, registry, service, stackMaps, changes });
 */
export function useWorkspaceTools(options: WorkspaceToolsOptions): Operation<WorkspaceTools> {
  const { outDir, registry, service, stackMaps, cacheFile, useRealm, onLoad } = options;
  return resource(function* (provide) {
    // esbuild speaks of real paths; a link on the way would make two of each file.
    const folder = yield* until(realpath(options.folder).catch(() => resolve(options.folder)));
    const id = options.id ?? folder;
    const label = options.label ?? basename(folder);
    const root = { id, dir: folder };
    const globs = () => sortGlobs(options.include?.() ?? []);
    const held = createHeldFiles(options.git && Date.now() + 1, options.notAllowed);
    const loader = yield* useFolderLoader({
      root,
      outDir,
      service,
      stackMaps,
      cacheFile,
      useRealm,
      held,
      include: () => globs().usable,
    });
    const registration = registry.register({
      kind: 'workspace',
      id,
      label,
      folder,
      order: options.order ?? 0,
    });
    yield* ensure(() => registration.unregister());
    const first = withResolvers<LoadReport>();
    let last: FolderLoad = { tools: [], problems: [], inputs: new Set() };

    let order: LoadOrder = {};

    const loading = yield* useCoalesced(function* (): Operation<LoadReport> {
      const start = performance.now();
      const now = order;
      order = {};
      try {
        const loaded = yield* loader.load(now);
        const unused = globs().others.map((glob) => notUsed(folder, glob));
        last = { ...loaded, problems: [...loaded.problems, ...unused] };
      } catch (error) {
        last = { ...last, problems: [failure(folder, error)] };
      }
      registration.replace(last);
      // What the person saved while it was looked at may be what waits.
      if (waits() && order.allowed?.size) loading.request();
      const { tools, problems, inputs } = last;
      const milliseconds = performance.now() - start;
      const report = { folder, milliseconds, tools: tools.length, problems, inputs };
      onLoad?.(report);
      first.resolve(report);
      // After everybody has been told: it is for the next window.
      yield* loader.keep();
      return report;
    });
    loading.request();

    const isIncomplete = () => last.problems.some(({ severity }) => severity === 'error');
    const isRelevant = (path: string) =>
      isRelevantChange(path, {
        folder,
        inputs: last.inputs,
        incomplete: isIncomplete(),
        include: globs().usable,
      });
    const waits = () => last.problems.some(({ kind }) => kind === 'waiting');
    const note = (more: LoadOrder) => {
      order = bothOrders(order, more);
    };
    const request = (more: LoadOrder) => {
      note(more);
      loading.request();
    };
    const watched = yield* useChangedFiles(
      { ...options, folder, isRelevant, waits, request, note },
      resolve(options.folder),
    );

    function* settled(): Operation<void> {
      yield* watched.settled();
      yield* loading.idle();
    }

    function* catchUp(file?: string): Operation<void> {
      yield* settled();
      const behind = yield* loader.behind(file);
      // It may lack a file that has come since: nobody knows which one.
      if (file === undefined ? isIncomplete() : loader.about(file)?.failed) yield* watched.lookAgain();
      else if (behind.length > 0) yield* watched.look(behind);
      yield* loading.idle();
    }

    yield* provide({
      id,
      loaded: first.operation,
      about: (file) => loader.about(file),
      outside: held.outside,
      *reload(more = {}) {
        order = bothOrders(order, { changed: 'all', ...more });
        return yield* loading.run();
      },
      settled,
      *need(file) {
        yield* settled();
        const isBehind = (yield* loader.behind(file)).length > 0;
        if (!isBehind && !waits() && !loader.isDisplaced(file)) return;
        const hold = isBehind && (yield* watched.isGits());
        note({ hold, release: new Set([file]), ...(isBehind && { changed: 'all' }) });
        yield* loading.run();
      },
      *catchUp(file) {
        const wasThere = file !== undefined && loader.about(file) !== undefined;
        yield* catchUp(file);
        // It may have been read while it was written: it is empty for a moment.
        if (wasThere && !loader.about(file)) yield* catchUp();
      },
      warmUp() {
        // What is built for real finds everything as the kept build had it, and changes nothing.
        if (!loader.isWarm) loading.request();
      },
    });
  });
}

/** The folder as a whole could not be loaded: not an error of its files. */
function failure(folder: string, error: unknown): Problem {
  return {
    kind: 'load',
    severity: 'error',
    file: folder,
    line: 1,
    column: 1,
    length: 0,
    message: `The tools of this folder cannot be loaded: ${toError(error).message}`,
  };
}
