import type { BuiltFile, FolderBuild } from '../build/built-folder.ts';
import type { Problem } from '../registry/problem.ts';

/** What a load may run. */
export interface LoadOrder {
  /** Files that have changed were put there by git: nobody has looked at them. They wait. */
  readonly hold?: boolean;
  /** Tool files, or files that they are made of, that may be run from now on. */
  readonly release?: ReadonlySet<string> | 'all';
  /** Paths of all that has changed since the last load; nobody knows when absent. */
  readonly changed?: ReadonlySet<string> | 'all';
}

/** One load in the place of two. */
export function bothOrders(a: LoadOrder, b: LoadOrder): LoadOrder {
  return {
    hold: Boolean(a.hold || b.hold),
    release: both(a.release, b.release),
    changed: both(a.changed, b.changed),
  };
}

type Paths = ReadonlySet<string> | 'all';

function both(a: Paths = new Set(), b: Paths = new Set()): Paths {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
}

/** Tool files that are not run before somebody needs them; those that were run stay as they were. */
export interface HeldFiles {
  /** The files of a build that may be run now, which counts as having run them. */
  take(build: FolderBuild, order: LoadOrder): ReadonlyArray<readonly [string, BuiltFile]>;
  has(file: string): boolean;
  /** The files that somebody has released, which is to need or to edit them. */
  readonly vouched: ReadonlySet<string>;
  problems(): readonly Problem[];
}

/** No file is held. */
export function createHeldFiles(): HeldFiles {
  let held: ReadonlySet<string> = new Set();
  /** The version of each file that was run last. */
  const ran = new Map<string, string | undefined>();
  const vouched = new Set<string>();

  return {
    take({ files, modules }, { hold = false, release = new Set() }) {
      const relevant = [...files].filter(([, file]) => file.relevant);
      const isReleased = (path: string, { sources }: BuiltFile) =>
        release === 'all' || release.has(path) || [...sources].some((source) => release.has(source));
      for (const [path, file] of relevant) if (isReleased(path, file)) vouched.add(path);
      const waits = ([path, file]: readonly [string, BuiltFile]) =>
        (hold || held.has(path)) &&
        ran.get(path) !== modules.get(file.module)?.version &&
        !isReleased(path, file);
      held = new Set(relevant.filter(waits).map(([path]) => path));
      const taken = relevant.filter(([path]) => !held.has(path));
      for (const path of ran.keys()) if (!files.has(path)) ran.delete(path);
      for (const [path, file] of taken) ran.set(path, modules.get(file.module)?.version);
      return taken;
    },
    has: (file) => held.has(file),
    vouched,
    problems: () => Array.from(held, waiting),
  };
}

function waiting(file: string): Problem {
  return {
    kind: 'waiting',
    severity: 'info',
    file,
    line: 1,
    column: 1,
    length: 0,
    message:
      'Git has changed this file, and it is not loaded yet: nothing of it runs before you run its tool, save it, or choose Parley: Reload Tools.',
  };
}
