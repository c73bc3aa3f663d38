import type { Scope, Task } from 'effection';
import type { Catalog } from './catalog.ts';

/** Watches resources while anybody is subscribed to them. */
export interface Watchers {
  /** Watches a URI until what it returns is called; `undefined` when there is no such resource. */
  retain(uri: string): (() => void) | undefined;
}

interface Watched {
  count: number;
  readonly task: Task<void> | undefined;
}

/**
 * @param scope what watching runs in
 * @param changed told of each watched resource that has changed
 * @param failed told when a watch breaks; its resource is then not watched any more
 */
export function createWatchers(
  scope: Scope,
  catalog: Catalog,
  changed: (uri: string) => void,
  failed: (uri: string, error: unknown) => void,
): Watchers {
  const watched = new Map<string, Watched>();

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
