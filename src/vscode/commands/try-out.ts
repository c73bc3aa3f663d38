import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { fromThenable } from '../bridge.ts';
import { takeWords } from '../calls/shipped/shipped-words.ts';
import { commands } from '../ids.ts';
import { type RunToolParts, runForPerson } from '../run/run-for-person.ts';
import { useCommand } from './use-command.ts';

/** **Parley: Try a Tool That Asks**: one click from the first page to a question, with no workspace and no model. */
export function* useTryOutCommand(parts: Pick<RunToolParts, 'desk'>): Operation<void> {
  yield* useCommand(commands.tryOut, function* () {
    const { createFirstTool } = yield* fromThenable(import('../../tools/index.ts'));
    const firstTool = createFirstTool(vscode.l10n.t);
    takeWords([firstTool], {});
    return yield* runForPerson(parts, { tool: firstTool, plugin: undefined });
  });
}
