import type { Operation } from 'effection';
import { commands } from '../ids.ts';
import { firstTool } from '../run/first-tool.ts';
import { type RunToolParts, runForPerson } from '../run/run-for-person.ts';
import { useCommand } from './use-command.ts';

/** **Parley: Try a Tool That Asks**: one click from the first page to a question, with no workspace and no model. */
export function* useTryOutCommand(parts: Pick<RunToolParts, 'desk'>): Operation<void> {
  yield* useCommand(commands.tryOut, function* () {
    return yield* runForPerson(parts, yield* firstTool());
  });
}
