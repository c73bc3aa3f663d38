import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { inform } from '../../calls/notices/inform.ts';
import { known, named } from '../../calls/run/named-tool.ts';
import { type RunToolParts, runForPerson, toolAsItStands } from '../../calls/run/run-for-person.ts';
import { pickTool } from '../run/pick-tool.ts';
import { isAll, isOfferedOn, parametersAt } from './place.ts';
import { placeOf, readRunOnArguments } from './place-here.ts';

/**
 * **Parley: Run Tool on Selection or File…**: the tools that can be run on what is selected, then the one that was picked, with those
 * parameters filled in. The form comes where there are others; the last ones are in it.
 */
export function* runToolOn(parts: RunToolParts, args: readonly unknown[]): Operation<unknown> {
  const { tools } = parts;
  const given = readRunOnArguments(args);
  const place = yield* placeOf(given);
  if (given.tool !== undefined && !(yield* named(tools.registry, given.tool))) yield* tools.loaded();
  if (given.tool === undefined && !tools.registry.list().some(({ tool }) => isOfferedOn(tool, place))) {
    inform(
      vscode.l10n.t(
        'No tool accepts this selection or file. Add .editor({ accepts: … }) to a tool to run it here.',
      ),
    );
    return undefined;
  }
  const chosen =
    given.tool === undefined
      ? (yield* pickTool(tools, { offers: ({ tool }) => isOfferedOn(tool, place) }))?.registered
      : yield* known(tools.registry, given.tool);
  if (!chosen) return undefined;
  const { registered, notice } = yield* toolAsItStands(tools, chosen);
  const schema = registered.tool.def.parameters.json;
  const filled = parametersAt(registered.tool, place);
  if (isAll(filled, schema) && !notice) return yield* runForPerson(parts, registered, { params: filled });
  return yield* runForPerson(parts, registered, { here: filled, notice });
}
