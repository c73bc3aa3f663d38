import { ToolDefinitionError } from '../errors/definition-errors.ts';
import { isPlugin, isTool } from '../plugin/guards.ts';
import { toolOf } from '../plugin/offer.ts';
import { isUnended } from '../plugin/unended.ts';
import { isKind, isPrompt, isResource } from './served-guards.ts';

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
  for (const [index, item] of items.entries()) {
    checkServed(item, index);
    const name = nameOf(item);
    if (name === undefined) continue;
    if (seen.has(name))
      throw new ToolDefinitionError(`'${name}' is there twice: give one of them another name`);
    seen.add(name);
  }
  return Object.freeze([...items]);
}

/** @throws `ToolDefinitionError` for what nobody can serve, such as an import that is not there */
function checkServed(item: unknown, index: number): void {
  if (isPlugin(item) || isTool(item) || isPrompt(item) || isResource(item)) return;
  const at = `item ${index + 1} of a registry`;
  if (isUnended(item)) throw new ToolDefinitionError(`${at}: ${item.of} has no end: end it with ${item.end}`);
  throw new ToolDefinitionError(
    `${at} is no tool, plugin, prompt or resource${item === undefined ? ': is it exported where you import it from?' : ''}`,
  );
}

function nameOf(item: unknown): string | undefined {
  if (isPlugin(item) || isTool(item)) return toolOf(item).name;
  return isPrompt(item) ? item.name : undefined;
}

/** Whether a value is a registry, made by whichever copy of Parley. What it holds is not looked at. */
export function isRegistry(value: unknown): value is McpRegistry<unknown> {
  return isKind(value, 'parley.registry');
}
