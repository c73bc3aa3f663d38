import { type FSWatcher, watch } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { createSignal, type Operation, resource, type Stream } from 'effection';

/** Absolute paths of files that were made, changed or removed. */
export interface FileChanges extends Stream<string, never> {
  /** Which files outside `.parley` count: those that the last load read. */
  follow(files: Iterable<string>): void;
}

/**
 * Changes of a folder's tools where no editor tells of them, as a resource. `.parley` is watched whole, of the rest only
 * the folders of the files that tools are made of: watching a workspace with its `node_modules` would cost more than
 * everything else together.
 *
 * @example
 * const changes = yield* useFileChanges(folder);
 * yield* useWorkspaceTools({ …, changes, onLoad: ({ inputs }) => changes.follow(inputs) });
 */
export function useFileChanges(folder: string): Operation<FileChanges> {
  return resource(function* (provide) {
    const changes = createSignal<string, never>();
    const watchers = new Map<string, FSWatcher>();
    const home = join(folder, '.parley');

    const open = (dir: string) => {
      if (watchers.has(dir)) return;
      try {
        const watcher = watch(dir, { recursive: dir === home, persistent: false }, (_event, name) => {
          const path = name === null ? dir : join(dir, name);
          if (path === home) open(home);
          changes.send(path);
        });
        // The folder went away: its parent tells, and the next load opens it again.
        watcher.on('error', () => close(dir));
        watchers.set(dir, watcher);
      } catch {
        // Not there, or not there yet.
      }
    };
    const close = (dir: string) => {
      watchers.get(dir)?.close();
      watchers.delete(dir);
    };

    const follow = (files: Iterable<string>) => {
      const wanted = new Set([folder, home]);
      for (const file of files) {
        const dir = dirname(file);
        if (isWatchedWithHome(relative(home, dir)) || /[\\/]node_modules([\\/]|$)/.test(dir)) continue;
        wanted.add(dir);
      }
      for (const dir of [...watchers.keys()]) if (!wanted.has(dir)) close(dir);
      for (const dir of wanted) open(dir);
    };

    follow([]);
    try {
      yield* provide({ [Symbol.iterator]: changes[Symbol.iterator], follow });
    } finally {
      for (const dir of [...watchers.keys()]) close(dir);
    }
  });
}

function isWatchedWithHome(way: string): boolean {
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`));
}
