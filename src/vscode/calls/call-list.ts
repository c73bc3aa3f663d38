import type { PanelStore } from '../../panel/panel-store.ts';
import { type CallEntry, hasEnded, isOfOthers } from './call-entry.ts';

/** Ended calls that stay in the list. */
const keptEnded = 30;

/** The calls of this window, newest first. */
export interface CallList {
  list(): readonly CallEntry[];
  get(id: string): CallEntry | undefined;
  add(entry: CallEntry): void;
  /** Takes a call away that never started. */
  remove(entry: CallEntry): void;
  /** Takes the ended calls away and closes their panels. */
  clearEnded(): void;
  /** Calls back when a call was added, removed, or changed in what a list shows of it. Returns what stops it. */
  subscribe(listener: () => void): () => void;
  /** Calls back with each thing that happens in a call: ten thousand times a second if need be, so do little. */
  watch(listener: (entry: CallEntry) => void): () => void;
}

/** Those that this window has, without what other programs ask. */
export function ownCalls(calls: Pick<CallList, 'list'>): readonly CallEntry[] {
  return calls.list().filter((entry) => !isOfOthers(entry));
}

/** Makes the window's list of calls; it is empty. */
export function createCallList(): CallList {
  const entries = new Map<string, { readonly entry: CallEntry; readonly forget: () => void }>();
  const listeners = new Set<() => void>();
  const watchers = new Set<(entry: CallEntry) => void>();
  const changed = () => {
    for (const listener of [...listeners]) listener();
  };

  const drop = (entry: CallEntry): void => {
    entries.get(entry.id)?.forget();
    entries.delete(entry.id);
  };
  const newestFirst = () => [...entries.values()].map(({ entry }) => entry).reverse();

  return {
    list: newestFirst,
    get: (id) => entries.get(id)?.entry,
    add(entry) {
      const stops = [
        onListedChange(entry.panel.store, changed),
        entry.panel.subscribe(changed),
        entry.panel.store.subscribe(() => {
          for (const watcher of watchers) watcher(entry);
        }),
      ];
      const forget = () => {
        for (const stop of stops) stop();
      };
      entries.set(entry.id, { entry, forget });
      // A panel that is open is being read.
      for (const old of newestFirst().filter(hasEnded).slice(keptEnded)) if (!old.panel.open) drop(old);
      changed();
    },
    remove(entry) {
      drop(entry);
      changed();
    },
    clearEnded() {
      for (const entry of newestFirst().filter(hasEnded)) {
        drop(entry);
        entry.panel.close();
      }
      changed();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    watch(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
  };
}

/** Calls back when something changes that a list shows: not for each line of a timeline. */
function onListedChange(store: PanelStore, listener: () => void): () => void {
  let { call, question, end, pause } = store.get();
  return store.subscribe((state) => {
    if (state.call === call && state.question === question && state.end === end && state.pause === pause) {
      return;
    }
    ({ call, question, end, pause } = state);
    listener();
  });
}
