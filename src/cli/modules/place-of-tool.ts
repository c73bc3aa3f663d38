import { type Offer, toolOf } from '../../core/plugin/offer.ts';
import { exportedTools } from '../../workspace/load/exported-tools.ts';
import { locateTool } from '../../workspace/load/locate.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import type { LoadedModule } from './load-modules.ts';

/**
 * Where a tool gets its name, in a module that exports it: at the beginning of that where it cannot be seen. Nothing where none
 * exports it, but a registry.
 */
export function placeOfTool(
  modules: readonly LoadedModule[],
  offer: Offer,
  which: 'first' | 'last' = 'first',
): Pick<Problem, 'file' | 'line' | 'column' | 'length'> | undefined {
  const tool = toolOf(offer);
  const exporting = modules.filter(({ exports }) =>
    exportedTools(exports).some((one) => toolOf(one) === tool),
  );
  for (const { file, text } of exporting) {
    const place = locateTool(text, tool.name, which);
    if (place) return { file, ...place };
  }
  const [first] = exporting;
  return first && { file: first.file, line: 1, column: 1, length: 0 };
}
