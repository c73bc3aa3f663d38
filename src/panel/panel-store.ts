import { type PanelInput, reduce } from './model/reduce.ts';
import type { PanelState } from './model/state.ts';

/** The state of one panel and who wants to know of its changes. */
export interface PanelStore {
  get(): PanelState;
  dispatch(input: PanelInput): void;
  /** Calls back after each change, synchronously. Returns what stops it. */
  subscribe(listener: (state: PanelState) => void): () => void;
}

/** A store that starts with `initial`. */
export function createPanelStore(initial: PanelState): PanelStore {
  let state = initial;
  const listeners = new Set<(state: PanelState) => void>();
  return {
    get: () => state,
    dispatch(input) {
      const next = reduce(state, input);
      if (next === state) return;
      state = next;
      for (const listener of [...listeners]) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
