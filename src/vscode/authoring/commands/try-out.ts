import type { Operation } from 'effection';
import { firstTool } from '../../calls/run/first-tool.ts';
import { type RunToolParts, runForPerson } from '../../calls/run/run-for-person.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';

/** **Parley: Try a Tool That Asks**: one click from the first page to a question, with no workspace and no model. */
export function* useTryOutCommand(parts: Pick<RunToolParts, 'desk'>): Operation<void> {
  yield* useCommand(commands.tryOut, function* () {
    return yield* runForPerson(parts, yield* firstTool());
  });
}
