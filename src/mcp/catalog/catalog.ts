import { toolOf } from '../../core/plugin/offer.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import { matchBudget } from '../../core/served/match-parts.ts';
import type { AnyPrompt } from '../../core/served/prompt.ts';
import type { Registry } from '../../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../../core/served/resource.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { compareKeys } from '../wire/state/cursor.ts';

/** A tool, or one with its handlers. */
export type Served = AnyTool | AnyPlugin;

/** A list, fixed or changing. */
export type Listed<T> = readonly T[] | Registry<T>;

/** The tools, prompts and resources of a server: fixed lists, or registries whose changes clients are told of. */
export interface CatalogOffer {
  readonly tools: Listed<Served>;
  readonly prompts?: Listed<AnyPrompt>;
  readonly resources?: Listed<Resource | ResourceTemplate>;
}

/** The lists that clients can be told about. */
export const LISTS = ['tools', 'prompts', 'resources'] as const;
export type ListName = (typeof LISTS)[number];

/** What is offered at the moment: sorted, looked up by name or URI, and the same until a list changes. */
export class Catalog {
  readonly #offer: CatalogOffer;
  #tools: Index<Served> | undefined;
  #prompts: Index<AnyPrompt> | undefined;
  #resources: Index<Resource> | undefined;
  #templates: Index<ResourceTemplate> | undefined;

  constructor(offer: CatalogOffer) {
    this.#offer = offer;
  }

  get tools(): Index<Served> {
    this.#tools ??= new Index(read(this.#offer.tools), (served) => toolOf(served).name);
    return this.#tools;
  }

  get prompts(): Index<AnyPrompt> {
    this.#prompts ??= new Index(read(this.#offer.prompts ?? []), (prompt) => prompt.name);
    return this.#prompts;
  }

  get resources(): Index<Resource> {
    this.#resources ??= new Index(
      read(this.#offer.resources ?? []).filter((one) => one.kind === 'parley.resource'),
      (resource) => resource.def.info.uri,
    );
    return this.#resources;
  }

  get templates(): Index<ResourceTemplate> {
    this.#templates ??= new Index(
      read(this.#offer.resources ?? []).filter((one) => one.kind === 'parley.resource-template'),
      (template) => template.def.info.uriTemplate,
    );
    return this.#templates;
  }

  /** The resource or template that reads a URI, and the template's variables. */
  find(
    uri: string,
  ): { readonly def: Readable; readonly variables: Readonly<Record<string, string>> } | undefined {
    const resource = this.resources.get(uri);
    if (resource) return { def: resource.def, variables: {} };
    const budget = matchBudget();
    for (const { def } of this.templates.items) {
      const variables = def.match(uri, budget);
      if (variables) return { def, variables };
    }
    return undefined;
  }

  /** Whether the list is there at all, and whether it can change. */
  has(name: ListName): { readonly any: boolean; readonly changes: boolean } {
    const listed = this.#offer[name];
    const changes = listed !== undefined && !Array.isArray(listed);
    return { any: changes || (listed !== undefined && read(listed as Listed<unknown>).length > 0), changes };
  }

  /** Follows the lists that change. Returns what stops it. */
  follow(changed: (name: ListName) => void): () => void {
    const stops = LISTS.map((name) => {
      const listed: Listed<unknown> | undefined = this.#offer[name];
      if (listed === undefined || isFixed(listed)) return () => {};
      return listed.subscribe(() => {
        if (name === 'tools') this.#tools = undefined;
        else if (name === 'prompts') this.#prompts = undefined;
        else this.#resources = this.#templates = undefined;
        changed(name);
      });
    });
    return () => {
      for (const stop of stops) stop();
    };
  }
}

type Readable = Resource['def'] | ResourceTemplate['def'];

function isFixed<T>(listed: Listed<T>): listed is readonly T[] {
  return Array.isArray(listed);
}

function read<T>(listed: Listed<T>): readonly T[] {
  return isFixed(listed) ? listed : listed.list();
}

/** Items by key: sorted, and without those whose key an earlier one has. */
export class Index<T> {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly #byKey = new Map<string, T>();

  constructor(items: readonly T[], keyOf: (item: T) => string) {
    this.keyOf = keyOf;
    for (const item of items) {
      const key = keyOf(item);
      if (!this.#byKey.has(key)) this.#byKey.set(key, item);
    }
    this.items = [...this.#byKey.values()].sort((a, b) => compareKeys(keyOf(a), keyOf(b)));
  }

  get(key: string): T | undefined {
    return this.#byKey.get(key);
  }
}
