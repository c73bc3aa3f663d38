import { join, relative } from 'node:path';
import { type Operation, type Stream, sleep, spawn, until } from 'effection';
import type { LoadOrder } from '../load/held-files.ts';
import type { GitMoves } from './git-moves.ts';
import { printOf, printsOf } from './print-of.ts';
import { type SettleTimes, settle } from './settle.ts';
import { createUnderway } from './underway.ts';

/** Where a folder hears of changes, and who loads. */
export interface ChangedFilesOptions {
  /** The folder's real path. */
  readonly folder: string;
  /** What happened on disk, no matter who did it. */
  readonly changes?: Stream<string, unknown>;
  /** What the person did in the editor. */
  readonly edits?: Stream<string, unknown>;
  readonly git?: GitMoves;
  isRelevant(path: string): boolean;
  /** Whether files wait until they are needed. */
  waits(): boolean;
  request(order: LoadOrder): void;
  /** The same, of what the next load has to know. */
  note(order: LoadOrder): void;
}

/** Changes that are on their way. */
export interface ChangedFiles {
  /** Returns when a load was asked for, for everything that has changed so far. */
  settled(): Operation<void>;
  /** Takes up what has changed at these paths, whether anybody has told of it or not. */
  look(paths: Iterable<string>): Operation<void>;
  /** Takes up whatever has changed, wherever that is. */
  lookAgain(): Operation<void>;
  /** Whether git has put in place what has changed now. */
  isGits(): Operation<boolean>;
}

/** A burst of changes on disk is one load. */
const ON_DISK = { quiet: 60, most: 1000 };

/** So is one of saves, and a person who saves waits for nothing else. */
const IN_EDITOR = { quiet: 20, most: 500 };

/**
 * Asks for a load when files of a folder have changed, as long as the caller lives. A change that both the editor and the
 * disk tell of is one.
 */
export function* useChangedFiles(
  { folder, changes, edits, git, isRelevant, waits, request, note }: ChangedFilesOptions,
  opened: string = folder,
): Operation<ChangedFiles> {
  const known = new Map<string, string>();
  const under = createUnderway();

  /** Whether something is there that was not when these paths were told of last. */
  function* isNews(paths: readonly string[]): Operation<boolean> {
    const prints = yield* until(Promise.all(paths.map(printOf)));
    const news = paths.some((path, index) => known.get(path) !== prints[index]);
    for (const [index, path] of paths.entries()) known.set(path, prints[index] ?? '');
    return news;
  }

  /** Asked each time, so that what git did long ago is not taken for the reason of what happens now. */
  function* isGits(): Operation<boolean> {
    return git !== undefined && (yield* git.moved());
  }

  function* take(burst: readonly string[], releases: boolean): Operation<void> {
    const hold = yield* isGits();
    const all = [...new Set(burst.map((path) => realOf(path, opened, folder)))];
    // What they write may be imported later.
    if (releases) note({ allowed: yield* until(printsOf(all)) });
    const paths = all.filter(isRelevant);
    const news = yield* isNews(paths);
    // The disk may have told of it first, and then nobody knew that it is the person's.
    const freed = releases && paths.length > 0 && waits();
    if (news || freed)
      request({ hold, changed: new Set(paths), ...(releases && { release: new Set(paths) }) });
  }

  function* follow(stream: Stream<string, unknown>, times: SettleTimes, releases: boolean): Operation<void> {
    const subscription = yield* stream;
    yield* spawn(function* () {
      for (;;) {
        const burst = yield* settle(subscription, times, under.begin);
        if (!burst) return;
        yield* take(burst, releases);
        under.end();
      }
    });
  }

  if (edits) yield* follow(edits, IN_EDITOR, true);
  if (changes) yield* follow(changes, ON_DISK, false);
  return {
    *settled() {
      // What has just been told is taken up in this turn of the event loop; what was told during a burst, when that is over.
      do {
        yield* sleep(0);
        yield* under.over();
        yield* sleep(0);
      } while (under.busy);
    },
    isGits,
    look: (paths) => take([...paths], false),
    *lookAgain() {
      request({ hold: yield* isGits(), changed: 'all' });
    },
  };
}

/** A path below the folder as it was opened, which may be a link, as one below the real folder. */
function realOf(path: string, opened: string, folder: string): string {
  const way = relative(opened, path);
  return opened === folder || way.startsWith('..') ? path : join(folder, way);
}
