import { readdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type Operation, until } from 'effection';
import * as vscode from 'vscode';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { fromThenable } from '../../bridge.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { writeForPerson } from '../workspace/write-for-person.ts';
import { testFileOf } from './find-tests.ts';
import { firstTestSource } from './first-test.ts';
import { showNewTest } from './show-new-test.ts';
import { homeOf, toolToTest } from './tool-to-test.ts';
import { writeNewTest } from './write-new-test.ts';

/** **Open Test**: the test of a tool in `.parley/tests`, or the offer to begin one. */
export function* openTest(tools: ToolPort, registered: RegisteredTool): Operation<void> {
  const path = yield* testOfTool(registered);
  if (path === undefined) return yield* offerTest(tools, registered);
  const document = yield* fromThenable(vscode.workspace.openTextDocument(path));
  yield* fromThenable(vscode.window.showTextDocument(document));
}

function* testOfTool({ name, place }: RegisteredTool): Operation<string | undefined> {
  const home = place && homeOf(place.file);
  if (!home) return undefined;
  const tests = join(home, 'tests');
  const names = yield* until(readdir(tests).catch(() => []));
  const found = testFileOf([name, basename(place.file, extname(place.file))], names);
  return found === undefined ? undefined : join(tests, found);
}

function* offerTest(tools: ToolPort, registered: RegisteredTool): Operation<void> {
  const { name, tool } = registered;
  const found = yield* toolToTest(registered);
  if (!found) {
    const why = vscode.l10n.t('A test must import “{0}”. Export the tool from a file in .parley.', name);
    yield* fromThenable(vscode.window.showWarningMessage(why));
    return;
  }
  const create = vscode.l10n.t('Create Test');
  const offer = vscode.l10n.t('“{0}” has no test yet.', name);
  const pressed = yield* fromThenable(vscode.window.showInformationMessage(offer, create));
  if (pressed !== create) return;
  const text = firstTestSource(name, found.exported, tool.def.parameters.json);
  const path = yield* writeForPerson(() => writeNewTest(found.home, name, text));
  if (path === undefined) return;
  tools.wrote(path);
  yield* showNewTest(path);
}
