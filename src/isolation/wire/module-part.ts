import type { BuiltModule } from '../../workspace/build/built-module.ts';
import { reachable } from '../../workspace/bundler/import-graph.ts';

/** The modules that one may load, itself included. More than it does load is no harm. */
export function modulePart(modules: ReadonlyMap<string, BuiltModule>, name: string): readonly BuiltModule[] {
  const part = reachable(name, (from) => {
    const { code = '' } = modules.get(from) ?? {};
    const named = Array.from(code.matchAll(/["'`]\.\/([^"'`\n]+)["'`]/g), ([, path = '']) => path);
    return named.filter((path) => modules.has(path));
  });
  return [...part].flatMap((path) => modules.get(path) ?? []);
}
