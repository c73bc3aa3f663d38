import { PluginDefinitionError } from '../../core/errors/definition-errors.ts';
import { isPlugin, isTool, unbuiltPluginOf } from '../../core/plugin/guards.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import { isUnended, type Unended } from '../../core/plugin/unended.ts';
import { isRegistry } from '../../core/served/registry.ts';
import { isPrompt, isResource } from '../../core/served/served-guards.ts';
import type { AnyTool } from '../../core/tool/tool.ts';

/** The tools and plugins that a module exports by name or as its default; a CommonJS module's are in its default. */
export function exportedTools(
  exports: Readonly<Record<string, unknown>>,
): ReadonlyArray<AnyTool | AnyPlugin> {
  return exported(exports, (value): value is AnyTool | AnyPlugin => isTool(value) || isPlugin(value));
}

/** What else of a module can be served: its prompts, resources and registries. */
export function exportedOthers(exports: Readonly<Record<string, unknown>>): readonly unknown[] {
  const isOther = (value: unknown): value is unknown =>
    isPrompt(value) || isResource(value) || isRegistry(value);
  return exported(exports, isOther);
}

/** What a module exports that was begun and not ended, by the names of the exports. It can go anywhere as JSON. */
export function exportedUnended(exports: Readonly<Record<string, unknown>>): Record<string, Unended> {
  const unended = Object.entries(exports).flatMap(([name, value]) => {
    if (!isUnended(value)) return [];
    const { kind, of, end } = value;
    return [[name, { kind, of, end }] as const];
  });
  return Object.fromEntries(unended);
}

/** @throws `PluginDefinitionError` for a plugin that lacks its `.build()`: its tool would ask with forms, and nobody would say why */
export function refuseUnbuilt(exports: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(exports)) {
    const tool = unbuiltPluginOf(value);
    if (tool === undefined) continue;
    throw new PluginDefinitionError(
      `plugin of tool '${tool}': the export '${name}' is not built: end it with .build()`,
      { details: { exported: name } },
    );
  }
}

function exported<T>(
  exports: Readonly<Record<string, unknown>>,
  is: (value: unknown) => value is T,
): readonly T[] {
  const { default: whole } = exports;
  const inner = typeof whole === 'object' && whole !== null ? Object.values(whole) : [];
  return [...new Set([...Object.values(exports), ...inner].filter(is))];
}
