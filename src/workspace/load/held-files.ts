import { readFile } from 'node:fs/promises';
import { type Operation, until } from 'effection';
import type { BuiltFile, FolderBuild } from '../build/built-folder.ts';
import { lookAt, printOf } from '../files/print-of.ts';
import type { Problem } from '../registry/problem.ts';

/** What a load may run. */
export interface LoadOrder {
  /** Files that have changed were put there by git: they wait until the person runs their tool. */
  readonly hold?: boolean;
  /** Tool files that the person runs, and files that they write; `all` lets everything run. */
  readonly release?: ReadonlySet<string> | 'all';
  /** Versions of files, as prints by path, that the person has written, or has seen and allowed. */
  readonly allowed?: ReadonlyMap<string, string>;
  /** From now on everything runs but what git puts in place. */
  readonly trust?: boolean;
  /** Paths of all that has changed since the last load; nobody knows when absent. */
  readonly changed?: ReadonlySet<string> | 'all';
}

/** One load in the place of two. */
export function bothOrders(a: LoadOrder, b: LoadOrder): LoadOrder {
  return {
    hold: Boolean(a.hold || b.hold),
    release: both(a.release, b.release),
    allowed: new Map([...(a.allowed ?? []), ...(b.allowed ?? [])]),
    trust: Boolean(a.trust || b.trust),
    changed: both(a.changed, b.changed),
  };
}

type Paths = ReadonlySet<string> | 'all';

function both(a: Paths = new Set(), b: Paths = new Set()): Paths {
  return a === 'all' || b === 'all' ? 'all' : new Set([...a, ...b]);
}

/** A file that has changed, and that no act of the person in this window explains. */
export interface OutsideChange {
  readonly file: string;
  /** Its version, as {@link LoadOrder.allowed} takes it. */
  readonly print: string;
  /** What was there when it was last allowed; nothing of a file that is new, and of a package's. */
  readonly before: string | undefined;
}

/** What survives the window: files whose changes it has not allowed. */
export interface NotAllowed {
  get(): readonly string[];
  set(files: readonly string[]): void;
}

/** Tool files that are not run, because nobody has looked at what they are made of; those that were run stay as they were. */
export interface HeldFiles {
  /** The files of a build that may be run now, which counts as having run them. */
  take(build: FolderBuild, order: LoadOrder): Operation<ReadonlyArray<readonly [string, BuiltFile]>>;
  has(file: string): boolean;
  /** The files that the person has run or edited. */
  readonly vouched: ReadonlySet<string>;
  problems(): readonly Problem[];
  /** What the person has to be asked about. What git has put in place is not: running a tool of it is enough. */
  outside(): readonly OutsideChange[];
  /** Reads what may run, to show later what is different. */
  remember(): Operation<void>;
}

interface Strange {
  readonly print: string;
  readonly byGit: boolean;
}

/**
 * No file is held. What was there at `since` (epoch milliseconds) may run, and what the person has written or allowed after that; everything
 * else waits, no matter who put it there. Without `since` everything may run.
 */
export function createHeldFiles(since: number | undefined, notAllowed?: NotAllowed): HeldFiles {
  /** The version of each file that was run last. */
  const ran = new Map<string, string | undefined>();
  const vouched = new Set<string>();
  /** Prints of files that may run. */
  const known = new Map<string, string>();
  const doubted = new Set(notAllowed?.get());
  const texts = new Map<string, { readonly print: string; readonly text: string }>();
  let strange: ReadonlyMap<string, Strange> = new Map();
  /** What each file that is held waits for. */
  let held: ReadonlyMap<string, readonly string[]> = new Map();
  let sources: ReadonlySet<string> = new Set();
  let trusting = false;

  function* strangeOf(inputs: Iterable<string>, hold: boolean): Operation<ReadonlyMap<string, Strange>> {
    const found = new Map<string, Strange>();
    if (since === undefined) return found;
    const looks = Array.from(inputs, async (path) => ({ path, ...(await lookAt(path)) }));
    for (const { path, print, since: changed } of yield* until(Promise.all(looks))) {
      const before = strange.get(path);
      const byGit = before?.print === print ? before.byGit : hold;
      const isOld = changed < since && !doubted.has(path);
      if (isOld || known.get(path) === print || (trusting && !byGit)) known.set(path, print);
      else found.set(path, { print, byGit });
    }
    return found;
  }

  return {
    *take(build, { hold = false, release = new Set(), allowed = [], trust = false }) {
      const { files, modules, inputs } = build;
      trusting ||= trust;
      for (const [path, print] of allowed) known.set(path, print);
      sources = new Set([...files.values()].flatMap((file) => [...file.sources]));
      strange = yield* strangeOf(new Set([...inputs, ...sources]), hold);
      if (release === 'all') {
        for (const [path, { print }] of strange) known.set(path, print);
        strange = new Map();
      }
      const relevant = [...files].filter(([, file]) => file.relevant);
      const isReleased = (path: string, file: BuiltFile) =>
        release === 'all' || release.has(path) || [...file.sources].some((source) => release.has(source));
      // All views are built together.
      const owned = new Set([...files.values()].flatMap((file) => [...file.sources, ...file.packages]));
      const shared = [...strange.keys()].filter((path) => !owned.has(path));
      const waitsFor = (path: string, file: BuiltFile) => {
        if (ran.get(path) === modules.get(file.module)?.version) return [];
        const mine = [...file.sources, ...file.packages].filter((one) => strange.has(one)).concat(shared);
        return isReleased(path, file) && mine.every((one) => strange.get(one)?.byGit) ? [] : mine;
      };
      for (const [path, file] of relevant) if (isReleased(path, file)) vouched.add(path);
      const waiting = relevant.map(([path, file]) => [path, waitsFor(path, file)] as const);
      held = new Map(waiting.filter(([, mine]) => mine.length > 0));
      const taken = relevant.filter(([path]) => !held.has(path));
      for (const path of ran.keys()) if (!files.has(path)) ran.delete(path);
      for (const [path, file] of taken) ran.set(path, modules.get(file.module)?.version);
      notAllowed?.set(this.outside().map(({ file }) => file));
      return taken;
    },
    has: (file) => held.has(file),
    vouched,
    problems: () =>
      Array.from(held, ([file, why]) =>
        waits(
          file,
          why.every((one) => strange.get(one)?.byGit),
        ),
      ),
    outside: () =>
      Array.from(new Set([...held.values()].flat()), (file) => ({ file, ...strange.get(file) }))
        .filter(({ byGit }) => !byGit)
        .map(({ file, print = '' }) => ({ file, print, before: texts.get(file)?.text })),
    *remember() {
      if (since === undefined) return;
      for (const file of sources) {
        const print = known.get(file);
        if (print === undefined || strange.has(file) || texts.get(file)?.print === print) continue;
        const text = yield* until(readFile(file, 'utf8').catch(() => undefined));
        // Another version may have come while it was read.
        if (text !== undefined && (yield* until(printOf(file))) === print) texts.set(file, { print, text });
      }
    },
  };
}

function waits(file: string, byGit: boolean): Problem {
  return {
    kind: 'waiting',
    severity: 'info',
    file,
    line: 1,
    column: 1,
    length: 0,
    message: byGit
      ? 'Git has changed this file, and it is not loaded yet: nothing of it runs before you run its tool, save it, or choose Parley: Reload Tools.'
      : 'This file, or one that it imports, was changed outside this editor, and is not loaded yet: nothing of it runs before you allow it, save it, or choose Parley: Reload Tools.',
  };
}
