import { stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { type Operation, type Stream, sleep, spawn, until, withResolvers } from 'effection';
import type { LoadOrder } from '../load/held-files.ts';
import type { GitMoves } from './git-moves.ts';
import { type SettleTimes, settle } from './settle.ts';

/** Where a folder hears of changes, and who loads. */
export interface ChangedFilesOptions {
  /** The folder's real path. */
  readonly folder: string;
  /** What happened on disk, whoever did it. */
  readonly changes?: Stream<string, unknown>;
  /** What the person did in the editor. */
  readonly edits?: Stream<string, unknown>;
  readonly git?: GitMoves;
  isRelevant(path: string): boolean;
  request(order: LoadOrder): void;
}

/** Changes that are on their way. */
export interface ChangedFiles {
  /** Returns when a load was asked for, for everything that has changed so far. */
  settled(): Operation<void>;
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
  { folder, changes, edits, git, isRelevant, request }: ChangedFilesOptions,
  opened: string = folder,
): Operation<ChangedFiles> {
  const known = new Map<string, string>();
  const under = createUnderway();

  /** The paths of a burst that are news: as what is loaded knows them, and as they are on disk now. */
  function* newsOf(burst: readonly string[]): Operation<ReadonlySet<string>> {
    const paths = [...new Set(burst.map((path) => realOf(path, opened, folder)))].filter(isRelevant);
    const prints = yield* until(Promise.all(paths.map(printOf)));
    const news = paths.filter((path, index) => known.get(path) !== prints[index]);
    for (const [index, path] of paths.entries()) known.set(path, prints[index] ?? '');
    return new Set(news);
  }

  function* follow(stream: Stream<string, unknown>, times: SettleTimes, releases: boolean): Operation<void> {
    const subscription = yield* stream;
    yield* spawn(function* () {
      for (;;) {
        const burst = yield* settle(subscription, times, under.begin);
        if (!burst) return;
        // Asked each time, so that what git did long ago is not taken for the reason of what happens now.
        const hold = git !== undefined && (yield* git.moved());
        const news = yield* newsOf(burst);
        if (news.size > 0) request({ hold, ...(releases && { release: news }) });
        under.end();
      }
    });
  }

  if (edits) yield* follow(edits, IN_EDITOR, true);
  if (changes) yield* follow(changes, ON_DISK, false);
  return { settled: under.over };
}

/** Counts bursts that have begun and led to nothing yet. */
function createUnderway() {
  let count = 0;
  let idle = withResolvers<void>();
  idle.resolve();
  return {
    begin() {
      if (count++ === 0) idle = withResolvers<void>();
    },
    end() {
      if (--count === 0) idle.resolve();
    },
    *over() {
      // What has just been told is taken up in this turn of the event loop.
      yield* sleep(0);
      yield* idle.operation;
    },
  };
}

/** A path below the folder as it was opened, which may be a link, as one below the real folder. */
function realOf(path: string, opened: string, folder: string): string {
  const way = relative(opened, path);
  return opened === folder || way.startsWith('..') ? path : join(folder, way);
}

/** Changes when what is at a path does. */
async function printOf(path: string): Promise<string> {
  return await stat(path).then(
    ({ mtimeMs, size, ino }) => `${mtimeMs} ${size} ${ino}`,
    () => '',
  );
}
