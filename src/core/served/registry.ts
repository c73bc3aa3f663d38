/** A list that changes while it is served: what `createMcpServer` takes wherever it takes a list. */
export interface Registry<T> {
  list(): readonly T[];
  /** Calls back after each change. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** A registry to change by hand. */
export interface McpRegistry<T> extends Registry<T> {
  readonly kind: 'parley.registry';
  /** Puts these in the place of all that was there. */
  set(items: readonly T[]): void;
}

/**
 * A list of tools, prompts or resources that can change while it is served; clients are told.
 *
 * @example
 * export const tools = createMcpRegistry([search]);
 * // later
 * tools.set([search, fetchPage]);
 */
export function createMcpRegistry<T>(items: readonly T[] = []): McpRegistry<T> {
  let current: readonly T[] = [...items];
  const listeners = new Set<() => void>();
  return Object.freeze({
    kind: 'parley.registry' as const,
    list: () => current,
    subscribe: (listener: () => void) => {
      const own = () => listener();
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    set: (next: readonly T[]) => {
      current = [...next];
      for (const listener of [...listeners]) listener();
    },
  });
}
