import { toolOf } from '../../core/plugin/offer.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import {
  createMcpRegistry,
  isRegistry,
  type McpRegistry,
  type Registry,
} from '../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../core/served/resource.ts';
import type { Served } from '../../mcp/index.ts';
import type { Collection } from '../collect.ts';

/** What a collection offers. */
export type Offered = Pick<Collection, 'tools' | 'prompts' | 'resources'>;

/** Lists that change. */
export interface ChangingLists {
  readonly tools: Registry<Served>;
  readonly prompts: Registry<AnyPrompt>;
  readonly resources: Registry<Resource | ResourceTemplate>;
}

/** What two offer as one that changes when either does; what the first has under a name, the second cannot have. */
export function joined(
  first: Offered,
  second: ChangingLists,
): { readonly lists: Offered & ChangingLists; stop(): void } {
  const tools = both<Served>(first.tools, second.tools, (served) => toolOf(served).name);
  const prompts = both(first.prompts, second.prompts, ({ name }) => name);
  const resources = both(first.resources, second.resources, ({ def: { info } }) =>
    'uri' in info ? info.uri : info.uriTemplate,
  );
  return {
    lists: { tools: tools.registry, prompts: prompts.registry, resources: resources.registry },
    stop() {
      for (const one of [tools, prompts, resources]) one.stop();
    },
  };
}

/** What is in a list now, whether it changes or not. */
export function listOf<T>(listed: Registry<T> | readonly T[]): readonly T[] {
  return isRegistry(listed) ? (listed.list() as readonly T[]) : (listed as readonly T[]);
}

function both<T>(
  first: Registry<T> | readonly T[],
  second: Registry<T>,
  nameOf: (item: T) => string,
): { readonly registry: McpRegistry<T>; stop(): void } {
  const now = () => {
    const own = listOf(first);
    const names = new Set(own.map(nameOf));
    return [...own, ...second.list().filter((item) => !names.has(nameOf(item)))];
  };
  const registry = createMcpRegistry(now());
  const update = () => registry.set(now());
  const stops = [second.subscribe(update)];
  if (isRegistry(first)) stops.push(first.subscribe(update));
  return {
    registry,
    stop() {
      for (const stop of stops) stop();
    },
  };
}
