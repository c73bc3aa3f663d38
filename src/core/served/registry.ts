import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { isPlugin, isTool } from '../plugin/guards.ts';
import { toolOf } from '../plugin/offer.ts';
/** A list that changes while it is served: what `createMcpServer` takes wherever it takes a list. */
export interface Registry<T> {
  list(): readonly T[];
  /** Calls back after each change. Returns what stops it. */
  subscribe(listener: () => void): () => void;
}

/** A registry to change by hand. */
export interface McpRegistry<T> extends Registry<T> {
  readonly kind: 'parley.registry';
  /** Puts these in the place of all that was there. @throws when two of them have one name */
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
  let current = unique(items);
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
      current = unique(next);
      for (const listener of [...listeners]) listener();
    },
  });
}

/** Two of a name would hide each other: nobody could tell which of them is called. */
function unique<T>(items: readonly T[]): readonly T[] {
  if (!Array.isArray(items))
    throw new ToolDefinitionError('a registry holds a list: createMcpRegistry([ … ])');
  const seen = new Set<string>();
  for (const item of items) {
    const name = nameOf(item);
    if (name === undefined) continue;
    if (seen.has(name))
      throw new ToolDefinitionError(`'${name}' is there twice: give one of them another name`);
    seen.add(name);
  }
  return Object.freeze([...items]);
}

function nameOf(item: unknown): string | undefined {
  if (isPlugin(item) || isTool(item)) return toolOf(item).name;
  const { kind, name } = (item ?? {}) as { readonly kind?: unknown; readonly name?: unknown };
  return kind === 'parley.prompt' && typeof name === 'string' ? name : undefined;
}
