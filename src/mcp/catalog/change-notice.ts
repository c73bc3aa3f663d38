import type { Catalog, ListName } from './catalog.ts';

/** Tells that lists have changed: one notice a list for a burst of changes. */
export interface ChangeNotices {
  subscribe(listener: (name: ListName) => void): () => void;
  close(): void;
}

/** A burst that goes on for this many times the quiet asked for is told of all the same. */
const LONGEST_BURST = 20;

/** @param debounce milliseconds of quiet before a notice goes out; `false` for none ever */
export function createChangeNotices(catalog: Catalog, debounce: number | false): ChangeNotices {
  const listeners = new Set<(name: ListName) => void>();
  const bursts = new Map<ListName, { timer: NodeJS.Timeout; readonly began: number }>();

  const stop = catalog.follow((name) => {
    if (debounce === false) return;
    const burst = bursts.get(name);
    if (burst && performance.now() - burst.began > debounce * LONGEST_BURST) return;
    clearTimeout(burst?.timer);
    const timer = setTimeout(() => {
      bursts.delete(name);
      for (const listener of [...listeners]) listener(name);
    }, debounce);
    bursts.set(name, { timer, began: burst?.began ?? performance.now() });
  });

  return {
    subscribe(listener) {
      const own = (name: ListName) => listener(name);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    close() {
      stop();
      for (const { timer } of bursts.values()) clearTimeout(timer);
      listeners.clear();
    },
  };
}
