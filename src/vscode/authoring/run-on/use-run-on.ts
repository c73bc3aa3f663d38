import type { Operation } from 'effection';
import { fromThenable } from '../../bridge.ts';
import type { RunToolParts } from '../../calls/run/run-for-person.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { useMendingActions } from './mending.ts';

/** Running a tool on what is there: a command for menus and keys, and quick fixes of tools that mend. */
export function* useRunOn(parts: RunToolParts): Operation<void> {
  yield* useCommand(commands.runToolOn, function* (...args) {
    const { runToolOn } = yield* fromThenable(import('./run-tool-on.ts'));
    return yield* runToolOn(parts, args);
  });
  yield* useMendingActions(parts.tools.registry);
}
