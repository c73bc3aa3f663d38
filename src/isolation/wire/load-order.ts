import { defined } from '../../core/schema/defined.ts';
import type { RealmInput, RealmOptions } from '../../workspace/load/tool-realm.ts';
import type { LoadParams } from './methods/realm-methods.ts';
import { modulePart } from './module-part.ts';

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
