import { isPlugin, isTool } from '../core/plugin/guards.ts';
import { toolOf } from '../core/plugin/offer.ts';
import { isUnended } from '../core/plugin/unended.ts';
import type { AnyPrompt } from '../core/served/prompt.ts';
import { createMcpRegistry, isRegistry, type McpRegistry } from '../core/served/registry.ts';
import type { Resource, ResourceTemplate } from '../core/served/resource.ts';
import { isPrompt, isResource } from '../core/served/served-guards.ts';
import type { Served } from '../mcp/index.ts';
import { notEnded } from '../workspace/load/load-problems.ts';
import type { Problem } from '../workspace/registry/problem.ts';
import { type LoadedModule, problemOf } from './modules/load-modules.ts';
import { placeOfTool } from './modules/place-of-tool.ts';

/** What modules export, sorted. Lists change when a registry that a module exports does. */
export interface Collection {
  readonly tools: McpRegistry<Served> | readonly Served[];
  readonly prompts: McpRegistry<AnyPrompt> | readonly AnyPrompt[];
  readonly resources: McpRegistry<Resource | ResourceTemplate> | readonly (Resource | ResourceTemplate)[];
  readonly problems: readonly Problem[];
}

/**
 * Every default or named export that is a tool, plugin, prompt, resource, or a registry of them. A module that exports none
 * is warned of, unless it is one of `found`, which nobody has named.
 */
export function collect(
  modules: readonly LoadedModule[],
  found: ReadonlySet<string> = new Set(),
): Collection {
  const exported = modules.map(({ file, text, exports }) => ({
    file,
    text,
    values: exportedValues(exports),
    unended: Object.entries(exports).flatMap(([name, value]) => (isUnended(value) ? [{ name, value }] : [])),
  }));
  // A plugin stands for its tool, also where both are exported, and from different files.
  const plugged = new Set<unknown>(exported.flatMap((one) => one.values.filter(isPlugin).map(toolOf)));
  const values = exported.map((one) => ({
    ...one,
    quiet: found.has(one.file) || one.values.length > 0 || one.unended.length > 0,
    values: one.values.filter((value) => !plugged.has(value)),
  }));
  // A file may export again what another one exports.
  const all = [...new Set(values.flatMap((one) => one.values))];
  const names = new Set(all.map(nameOf));
  const placeOf = (value: unknown, file: string, which?: 'last'): Place =>
    (isServed(value) ? placeOfTool(modules, value, which) : undefined) ?? {
      file,
      line: 1,
      column: 1,
      length: 0,
    };
  const fileOf = (value: unknown) => values.find((one) => one.values.includes(value))?.file;
  const registries = all.filter(isRegistry);
  return {
    tools: listOf(all, registries, isServed),
    prompts: listOf(all, registries, isPrompt),
    resources: listOf(all, registries, isResource),
    problems: values.flatMap(({ file, text, values: own, quiet, unended }) => [
      ...(quiet ? [] : [exportsNothing(file)]),
      ...clashesIn(own, all).map(({ name, first, second }) =>
        clash(name, placeOf(second, file, 'last'), placeOf(first, fileOf(first) ?? file)),
      ),
      // Unless it was ended: it may be what several begin with.
      ...unended
        .filter(({ value }) => !names.has(`the ${value.of}`))
        .map(({ name, value }) => notEnded(file, text, name, value)),
    ]),
  };
}

function isServed(value: unknown): value is Served {
  return isTool(value) || isPlugin(value);
}

function isAnything(value: unknown): boolean {
  return isServed(value) || isPrompt(value) || isResource(value) || isRegistry(value);
}

function exportedValues(exports: Readonly<Record<string, unknown>>): readonly unknown[] {
  const whole = exports.default;
  const inner = isAnything(whole) || typeof whole !== 'object' || whole === null ? [] : Object.values(whole);
  return [...new Set([...Object.values(exports), ...inner])].filter(isAnything);
}

function listOf<T>(
  all: readonly unknown[],
  registries: readonly McpRegistry<unknown>[],
  is: (value: unknown) => value is T,
): McpRegistry<T> | readonly T[] {
  const fixed = all.filter(is);
  if (registries.length === 0) return fixed;
  const now = () => [...fixed, ...registries.flatMap((registry) => registry.list().filter(is))];
  const registry = createMcpRegistry(now());
  for (const one of registries) {
    one.subscribe(() => {
      const next = now();
      const before = registry.list();
      if (next.length !== before.length || next.some((item, index) => item !== before[index]))
        registry.set(next);
    });
  }
  return registry;
}

function exportsNothing(file: string): Problem {
  const message =
    'it exports no tool, plugin, prompt or resource: export what createMcpTool(…)….execute(…) gives';
  return { ...problemOf(file, message), severity: 'warning' };
}

/** What of a file has the name of something that comes before it. */
function clashesIn(own: readonly unknown[], all: readonly unknown[]): readonly Clash[] {
  const names = new Map<string, unknown>();
  const clashes: Clash[] = [];
  for (const value of all) {
    const name = nameOf(value);
    if (name === undefined) continue;
    const first = names.get(name);
    if (first === undefined) names.set(name, value);
    else if (first !== value && own.includes(value)) clashes.push({ name, first, second: value });
  }
  return clashes;
}

interface Clash {
  readonly name: string;
  readonly first: unknown;
  readonly second: unknown;
}

type Place = Pick<Problem, 'file' | 'line' | 'column' | 'length'>;

function clash(name: string, second: Place, first: Place): Problem {
  return {
    kind: 'duplicate',
    severity: 'error',
    ...second,
    message: `${name} is defined twice: the first one is used`,
    related: [{ ...first, message: `${name} that is used` }],
  };
}

/** What a value is called among its kind, with the kind. */
function nameOf(value: unknown): string | undefined {
  if (isPlugin(value)) return `the tool '${toolOf(value).name}'`;
  if (isTool(value)) return `the tool '${value.name}'`;
  if (isPrompt(value)) return `the prompt '${value.name}'`;
  if (!isResource(value)) return undefined;
  const { info } = value.def;
  return `the resource '${'uri' in info ? info.uri : info.uriTemplate}'`;
}
