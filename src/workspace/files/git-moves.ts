import type { Stats } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { type Operation, sleep, until } from 'effection';

/** Tells files that git has put in place from those that were written by hand. */
export interface GitMoves {
  /**
   * Whether git has put another commit's files in place since this was asked last, or a moment ago: what it changes is told
   * of bit by bit. Waits for a checkout that is under way.
   */
  moved(): Operation<boolean>;
}

/** Milliseconds: between two looks at a lock, how long it is waited for, and the age of one that a crash has left. */
const LOCK = { look: 50, most: 10_000, leftOver: 60_000 };

/** Milliseconds after a move in which changes still count as its own. */
const MOMENT = 3000;

/** Milliseconds between the end of the lock and the new HEAD: git has little to do. */
const AFTER_LOCK = 100;

/**
 * The moves of HEAD in the repository of a folder, read from its reflog: what a checkout, a pull, a rebase or a reset
 * leaves there. A commit moves HEAD and changes no file. Where there is no repository, or no reflog, nothing moves.
 */
export function* watchGitMoves(folder: string, moment = MOMENT): Operation<GitMoves> {
  let read = 0;
  let movedAt = Number.NEGATIVE_INFINITY;

  function* unread(): Operation<string> {
    const dir = yield* until(gitDirOf(folder));
    if (dir === undefined) return '';
    yield* unlocked(join(dir, 'index.lock'));
    const reflog = join(dir, 'logs', 'HEAD');
    const size = (yield* until(statOf(reflog)))?.size ?? 0;
    const from = size < read ? 0 : read;
    const text = from === size ? '' : yield* until(textOf(reflog, from));
    // Not before: callers that ask meanwhile have to hear of it, too.
    read = size;
    return text;
  }

  yield* unread();
  return {
    *moved() {
      const moved = (yield* unread()).split('\n').some(isMove);
      if (moved) movedAt = performance.now();
      return moved || performance.now() - movedAt < moment;
    },
  };
}

function* unlocked(lock: string): Operation<void> {
  for (let waited = 0; waited < LOCK.most; waited += LOCK.look) {
    const found = yield* until(statOf(lock));
    if (!found || Date.now() - found.mtimeMs > LOCK.leftOver) {
      if (waited > 0) yield* sleep(AFTER_LOCK);
      return;
    }
    yield* sleep(LOCK.look);
  }
}

/** Whether a line of a reflog (`old new who time zone<tab>what: how`) says that files were put in place. */
function isMove(line: string): boolean {
  const [hashes = '', what] = line.split('\t', 2);
  const [before, after] = hashes.split(' ', 2);
  return what !== undefined && before !== after && !/^commit\b/.test(what);
}

/** The folder with the state of a working tree: `.git`, or where a file of that name points. */
async function gitDirOf(folder: string): Promise<string | undefined> {
  for (let dir = folder; ; dir = dirname(dir)) {
    const path = join(dir, '.git');
    const found = await statOf(path);
    if (found?.isDirectory()) return path;
    if (found?.isFile()) {
      const [, to] = /^gitdir: (.+)$/m.exec(await readFile(path, 'utf8')) ?? [];
      return to === undefined ? undefined : resolve(dir, to);
    }
    if (dirname(dir) === dir) return undefined;
  }
}

function statOf(path: string): Promise<Stats | undefined> {
  return stat(path).catch(() => undefined);
}

/** The end of a file from this byte on. */
async function textOf(path: string, from: number): Promise<string> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const { buffer } = await file.read({ buffer: Buffer.alloc(Math.max(0, size - from)), position: from });
    return buffer.toString('utf8');
  } finally {
    await file.close();
  }
}
