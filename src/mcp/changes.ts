import type { Catalog, ListName } from './catalog/catalog.ts';

/** Who is told of changes: of lists, and of resources. */
export interface ChangeListener {
  listChanged(name: ListName): void;
  resourceUpdated(uri: string): void;
}

/** Tells everybody who follows what has changed: one notice a list for a burst of changes. */
export interface Changes {
  /** Whether anybody is told of lists. */
  readonly told: boolean;
  /** Returns what stops it. */
  follow(listener: ChangeListener): () => void;
  resourceUpdated(uri: string): void;
  close(): void;
}

/** A burst that goes on for this many times the quiet asked for is told of all the same. */
const LONGEST_BURST = 20;

/** @param debounce milliseconds of quiet before a notice goes out; `false` for none ever */
export function createChanges(catalog: Catalog, debounce: number | false): Changes {
  const listeners = new Set<ChangeListener>();
  const bursts = new Map<ListName, { timer: NodeJS.Timeout; readonly began: number }>();

  const stop = catalog.follow((name) => {
    if (debounce === false) return;
    const burst = bursts.get(name);
    if (burst && performance.now() - burst.began > debounce * LONGEST_BURST) return;
    clearTimeout(burst?.timer);
    const timer = setTimeout(() => {
      bursts.delete(name);
      for (const listener of [...listeners]) listener.listChanged(name);
    }, debounce);
    bursts.set(name, { timer, began: burst?.began ?? performance.now() });
  });

  return {
    told: debounce !== false,
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    resourceUpdated(uri) {
      for (const listener of [...listeners]) listener.resourceUpdated(uri);
    },
    close() {
      stop();
      for (const { timer } of bursts.values()) clearTimeout(timer);
      listeners.clear();
    },
  };
}
