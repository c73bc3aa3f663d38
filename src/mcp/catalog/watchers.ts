import type { Scope, Task } from 'effection';
import type { Catalog } from './catalog.ts';

/** Watches resources while anybody is subscribed to them. */
export interface Watchers {
  /** Watches a URI until what it returns is called; `undefined` when there is no such resource. */
  retain(uri: string): (() => void) | undefined;
  /** Calls back with the URI of each watched resource that has changed. Returns what stops it. */
  subscribe(listener: (uri: string) => void): () => void;
  /** Says that a resource has changed. */
  changed(uri: string): void;
}

interface Watched {
  count: number;
  readonly task: Task<void> | undefined;
}

/**
 * @param scope what watching runs in
 * @param failed told when a watch breaks; its resource is then not watched any more
 */
export function createWatchers(
  scope: Scope,
  catalog: Catalog,
  failed: (uri: string, error: unknown) => void,
): Watchers {
  const watched = new Map<string, Watched>();
  const listeners = new Set<(uri: string) => void>();

  function changed(uri: string): void {
    for (const listener of [...listeners]) listener(uri);
  }

  function begin(uri: string): Watched | undefined {
    const watch = catalog.find(uri);
    if (!watch) return undefined;
    const { watch: run } = watch.def;
    const task = run && scope.run(() => run(uri, () => changed(uri)));
    const entry = { count: 0, task };
    task?.catch((error: unknown) => {
      // A task that was halted is rejected as well.
      if (watched.get(uri) === entry) failed(uri, error);
    });
    watched.set(uri, entry);
    return entry;
  }

  return {
    changed,
    subscribe(listener) {
      const own = (uri: string) => listener(uri);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    retain(uri) {
      const entry = watched.get(uri) ?? begin(uri);
      if (!entry) return undefined;
      entry.count += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        entry.count -= 1;
        if (entry.count > 0) return;
        watched.delete(uri);
        entry.task?.halt().catch((error: unknown) => failed(uri, error));
      };
    },
  };
}
