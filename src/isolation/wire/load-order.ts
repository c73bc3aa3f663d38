import { defined } from '../../core/schema/defined.ts';
import type { BuiltModule } from '../../workspace/build/built-module.ts';
import { reachable } from '../../workspace/bundler/import-graph.ts';
import type { RealmInput, RealmOptions } from '../../workspace/load/tool-realm.ts';
import type { LoadParams } from './methods/realm-methods.ts';

/** The modules that one may load, itself included. More than it does load is no harm. */
function modulePart(modules: ReadonlyMap<string, BuiltModule>, name: string): readonly BuiltModule[] {
  const part = reachable(name, (from) => {
    const { code = '' } = modules.get(from) ?? {};
    const named = Array.from(code.matchAll(/["'`]\.\/([^"'`\n]+)["'`]/g), ([, path = '']) => path);
    return named.filter((path) => modules.has(path));
  });
  return [...part].flatMap((path) => modules.get(path) ?? []);
}

/** The order to load these files, with the modules that they may need. */
export function loadOrder(
  input: RealmInput,
  { folder, outDir }: Omit<RealmOptions, 'stackMaps'>,
  files: readonly string[],
): LoadParams {
  const entries = files.map((file) => ({ file, name: input.entries.get(file) ?? '' }));
  const modules = new Set(entries.flatMap(({ name }) => modulePart(input.modules, name)));
  return {
    folder,
    outDir,
    // Maps stay here.
    modules: Array.from(modules, ({ source, ...module }) => ({
      ...module,
      map: '',
      ...defined({ source }),
    })),
    entries,
    lent: [...input.lent],
  };
}
