import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { tempFolder } from '#test/temp-folder.ts';

type Running = { close(): Promise<void> } | { stop(signal: NodeJS.Signals): Promise<unknown> };

/** A folder of the test that runs, and what it has running. */
export interface OwnFolder {
  readonly path: string;
  /** The file in which tools write down what they do. */
  readonly log: string;
  /** What they have done, line by line. */
  effects(): Promise<readonly string[]>;
  /** Ends it after the test, before those that were given earlier. */
  ending<T extends Running>(one: T): T;
}

/** Gives each test of a file a folder of its own, which goes after it. */
export function ownFolder(): OwnFolder {
  const running: Running[] = [];
  let path = '';
  beforeEach(() => {
    path = tempFolder();
  });
  afterEach(async () => {
    for (const one of running.splice(0).reverse()) await ('close' in one ? one.close() : one.stop('SIGKILL'));
  });
  return {
    get path() {
      return path;
    },
    get log() {
      return join(path, 'log');
    },
    effects: async () => (await readFile(join(path, 'log'), 'utf8')).trim().split('\n'),
    ending(one) {
      running.push(one);
      return one;
    },
  };
}
