import type { Memento } from 'vscode';

const KEY = 'parley.pinnedTools';

/** The tools that the person pinned in this workspace, by name, in the person's order. */
export interface Pins {
  list(): readonly string[];
  has(toolName: string): boolean;
  /** Pins a tool, or moves it: before another one, else to the end. */
  put(toolName: string, before?: string): void;
  remove(toolName: string): void;
  /** The one above (-1) or below (1) it, of those that are there now. */
  beside(toolName: string, by: -1 | 1, isThere: (toolName: string) => boolean): string | undefined;
  /** Changes places with another one. */
  swap(toolName: string, other: string): void;
  /** Calls back with each change. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** Keeps them in the workspace's state. */
export function createPins(state: Memento): Pins {
  const kept: unknown = state.get(KEY);
  let names: readonly string[] = Array.isArray(kept)
    ? kept.filter((name): name is string => typeof name === 'string')
    : [];
  const listeners = new Set<() => void>();
  const set = (next: readonly string[]) => {
    names = next;
    void state.update(KEY, names);
    for (const listener of [...listeners]) listener();
  };
  return {
    list: () => names,
    has: (name) => names.includes(name),
    put(name, before) {
      if (name === before) return;
      const others = names.filter((one) => one !== name);
      const at = before === undefined ? -1 : others.indexOf(before);
      set(others.toSpliced(at === -1 ? others.length : at, 0, name));
    },
    remove: (name) => set(names.filter((one) => one !== name)),
    beside(name, by, isThere) {
      const there = names.filter((one) => one === name || isThere(one));
      const at = there.indexOf(name);
      return at === -1 ? undefined : there[at + by];
    },
    swap(name, other) {
      const [from, to] = [names.indexOf(name), names.indexOf(other)];
      if (from !== -1 && to !== -1) set(names.with(from, other).with(to, name));
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
