import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { isEnd } from '../../../runtime/session/events.ts';
import { fromThenable } from '../../bridge.ts';
import { endedCall } from '../../calls/commands/meant-call.ts';
import { decodeParams } from '../../calls/history/kept-call.ts';
import type { RunToolParts } from '../../calls/run/run-for-person.ts';
import { ifJson } from '../../log/if-json.ts';
import { writeForPerson } from '../workspace/write-for-person.ts';
import { stepCutShort, testOf } from './saved-test.ts';
import { showNewTest } from './show-new-test.ts';
import { toolToTest } from './tool-to-test.ts';
import { writeNewTest } from './write-new-test.ts';

/** **Save as Test**: a test in `.parley/tests` that makes an ended call again, with the answers of then. */
export function* saveAsTest(parts: RunToolParts, argument: unknown): Operation<void> {
  const entry = yield* endedCall(parts, argument);
  const record = entry?.record();
  if (!entry || !record) return;
  const events = record.events();
  const end = events.findLast(isEnd);
  const lines = yield* (yield* parts.desk()).linesOf(entry);
  const step = stepCutShort(lines);
  const answered = events.some((event) => event.type === 'ask_closed');
  const registered = parts.tools.registry.get(entry.toolName);
  const found = registered && (yield* toolToTest(registered));
  if (!end || end.type === 'aborted') {
    return yield* refuse(
      vscode.l10n.t('“{0}” was stopped, so there is no result that a test can expect.', entry.title),
    );
  }
  if (end.type === 'result' && end.notKept) {
    const why = vscode.l10n.t('The result of “{0}” was not saved, so a test cannot expect it.', entry.title);
    return yield* refuse(why);
  }
  if (step !== undefined) {
    const why = vscode.l10n.t(
      'The step “{0}” was interrupted, so its result is unknown and a test cannot expect it. Nothing was saved.',
      step,
    );
    return yield* refuse(why);
  }
  if (answered && lines.length === 0) {
    return yield* refuse(vscode.l10n.t('No answers of “{0}” are saved.', entry.title));
  }
  if (!found) {
    const why = vscode.l10n.t(
      'A test must import “{0}”. Export the tool from a file in .parley.',
      entry.toolName,
    );
    return yield* refuse(why);
  }
  const text = testOf({
    toolName: entry.toolName,
    callId: record.id,
    params: decodeParams({ params: ifJson(record.params) ?? {} }),
    lines,
    end,
    elicits: registered.tool.def.elicits,
    exported: found.exported,
  });
  const path = yield* writeForPerson(() => writeNewTest(found.home, entry.toolName, text));
  if (path !== undefined) yield* showNewTest(path);
}

function* refuse(why: string): Operation<void> {
  yield* fromThenable(vscode.window.showWarningMessage(why));
}
