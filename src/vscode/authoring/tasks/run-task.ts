import { ensure, type Operation, scoped } from 'effection';
import * as vscode from 'vscode';
import { isParleyError } from '../../../core/errors/errors.ts';
import { stopReasons } from '../../../panel-port/index.ts';
import { insideOf } from '../../../runtime/policy/call-policy.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import type { Session } from '../../../runtime/session/session.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { useSubscription } from '../../bridge.ts';
import { startedWith } from '../../calls/copied-text.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { editorCapabilities } from '../../calls/editor/editor-capabilities.ts';
import { known, named } from '../../calls/run/named-tool.ts';
import { type RunToolParts, toolAsItStands } from '../../calls/run/run-for-person.ts';
import { taskLines } from './task-lines.ts';
import type { ToolTask } from './tool-task.ts';

/**
 * Runs the tool of a task to its end, as it stands in the editor, and gives the exit code. Its panel opens with its first
 * question, and at once where its parameters have to be asked for. Halting this stops the call.
 */
export function* runTask(
  parts: RunToolParts,
  { tool: name, params }: ToolTask,
  write: (line: string) => void,
): Operation<number> {
  const { tools } = parts;
  if (!(yield* named(tools.registry, name))) yield* tools.loaded();
  const { registered, notice } = yield* toolAsItStands(tools, yield* known(tools.registry, name));
  if (notice) write(notice);
  const desk = yield* parts.desk();
  const end = yield* scoped(function* () {
    // A repository has written it: it approves nothing.
    const session = yield* insideOf(() => begun(desk, registered, params));
    return session ? yield* followed(desk, session, write) : yield* askedFor(desk, registered, write);
  });
  return end?.type === 'result' ? 0 : 1;
}

/** The call; nothing where parameters are needed that the task does not have. */
function* begun(
  { manager }: CallDesk,
  { tool, plugin }: RegisteredTool,
  params: ToolTask['params'],
): Operation<Session | undefined> {
  try {
    const call = { tool: plugin ?? tool, params: params ?? {}, capabilities: editorCapabilities };
    return yield* manager.create(call);
  } catch (error) {
    if (params === undefined && isParleyError(error, 'PARAMS_INVALID')) return undefined;
    throw error;
  }
}

function* followed(desk: CallDesk, session: Session, write: (line: string) => void) {
  yield* ensure(function* () {
    if (!session.ended()) yield* session.abort(stopReasons.byPerson);
  });
  const linesOf = taskLines(session.params, vscode.l10n.t);
  const say = (event: SessionEvent) => {
    for (const line of linesOf(event)) write(line);
  };
  session.events().forEach(say);
  yield* useSubscription(() => session.subscribe(say));
  return yield* desk.attend(session, desk.adopt(session, { kind: 'person' }));
}

function* askedFor(desk: CallDesk, { tool, plugin }: RegisteredTool, write: (line: string) => void) {
  write(vscode.l10n.t('The panel asks for its parameters.'));
  const { entry, end } = yield* desk.run({ tool, plugin, written: true });
  if (end) for (const line of taskLines(startedWith(entry), vscode.l10n.t)(end)) write(line);
  return end;
}
