import type { Memento } from 'vscode';

const KEY = 'parley.recentTools';

/** As many as one sees at a glance. */
const KEPT = 5;

/** The tools that the person ran in this workspace, the last one first. */
export interface RecentTools {
  list(): readonly string[];
  used(toolName: string): void;
}

/** Keeps their names in the workspace's state. */
export function createRecentTools(state: Memento): RecentTools {
  const list = (): readonly string[] => {
    const kept: unknown = state.get(KEY);
    return Array.isArray(kept) ? kept.filter((name) => typeof name === 'string').slice(0, KEPT) : [];
  };
  return {
    list,
    used(toolName) {
      void state.update(KEY, [toolName, ...list().filter((name) => name !== toolName)].slice(0, KEPT));
    },
  };
}
