import { isPlugin, isTool } from '../../core/plugin/guards.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { AnyTool } from '../../core/tool/tool.ts';

/** The tools and plugins that a module exports by name or as its default; a CommonJS module's are in its default. */
export function exportedTools(
  exports: Readonly<Record<string, unknown>>,
): ReadonlyArray<AnyTool | AnyPlugin> {
  const found = new Set<AnyTool | AnyPlugin>();
  const take = (value: unknown) => {
    if (isTool(value) || isPlugin(value)) found.add(value);
  };
  for (const value of Object.values(exports)) take(value);
  const whole = exports.default;
  if (typeof whole === 'object' && whole !== null) for (const value of Object.values(whole)) take(value);
  return [...found];
}
