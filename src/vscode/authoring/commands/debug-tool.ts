import type { Operation } from 'effection';
import { fromThenable } from '../../bridge.ts';
import type { RunToolParts } from '../../calls/run/run-for-person.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import type { LoadedFolders } from '../debug/loaded-folders.ts';
import { type RunVariant, runAgain, runByArguments } from '../run/run-tool.ts';

/** What debugging a tool takes beside what running one does. */
export interface DebugToolParts extends RunToolParts {
  readonly folders: LoadedFolders;
}

/**
 * **Parley: Debug Tool…**: as *Run Tool…*, with the tool in a process of its own under the JavaScript debugger. The call
 * stays here: its panel answers while the tool stands at a breakpoint.
 */
export function* useDebugToolCommand(parts: DebugToolParts): Operation<void> {
  const variant: RunVariant = {
    offers: ({ source }) => source.kind === 'workspace',
    *prepare(registered) {
      const { useDebuggedTool } = yield* fromThenable(import('../debug/use-debugged-tool.ts'));
      return yield* useDebuggedTool(registered, parts);
    },
  };
  yield* useCommand(commands.debugTool, (...args) => runByArguments(parts, args, variant));
  yield* useCommand(commands.debugCallAgain, (...args) => runAgain(parts, args, variant));
}
