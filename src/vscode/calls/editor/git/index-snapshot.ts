import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { copyFile, open, rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Operation, until } from 'effection';
import { GitError } from '../../../../core/errors/git-error.ts';
import { type Git, runGit } from './run-git.ts';

/** The index as it was at one moment. */
export interface IndexSnapshot {
  /** Makes the index what it was. @throws `GitError` while another program writes it. */
  restore(): Operation<void>;
  /** It is not needed any more. */
  drop(): Operation<void>;
}

/** Keeps a copy of the index, byte by byte: what was staged of a file in part is in no other place. */
export function* takeSnapshot(git: Git): Operation<IndexSnapshot> {
  const { text } = yield* runGit(git, ['rev-parse', '--git-path', 'index']);
  const index = resolve(git.root, text.replace(/\r?\n$/, ''));
  const copy = `${index}.parley-${randomUUID()}`;
  const existed = yield* until(copied(index, copy));
  return {
    *restore() {
      yield* until(restored(index, existed ? copy : undefined));
    },
    *drop() {
      yield* until(rm(copy, { force: true }));
    },
  };
}

/** Whether there was something to copy: a new repository has no index. */
async function copied(from: string, to: string): Promise<boolean> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** As git itself replaces an index: under its lock, in one step. */
async function restored(index: string, copy: string | undefined): Promise<void> {
  const lock = `${index}.lock`;
  try {
    await (await open(lock, 'wx')).close();
  } catch (error) {
    throw new GitError({ problem: 'locked', output: '', cause: error });
  }
  try {
    if (copy === undefined) await rm(index, { force: true });
    else {
      await copyFile(copy, lock);
      await rename(lock, index);
    }
  } finally {
    await rm(lock, { force: true });
  }
}
