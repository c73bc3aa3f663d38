import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { fromThenable } from '../../bridge.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import { setting } from '../../setting.ts';
import type { CallEntry } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { CallDesk } from '../desk.ts';
import type { FindCall } from '../history/call-finder.ts';
import type { Lazy } from '../lazy.ts';
import { noticeText } from '../notices/notice-text.ts';
import { tellsOfFailure } from '../notices/tells-of-end.ts';
import { createRecentTools } from '../parameters/recent-tools.ts';
import type { RunRequest } from '../starting.ts';
import type { CurrentTool } from './current-tool.ts';
import type { ToolPort } from './tool-port.ts';

/** What running a tool takes. */
export interface RunToolParts {
  readonly desk: Lazy<CallDesk>;
  readonly calls: CallList;
  readonly tools: ToolPort;
  readonly find: FindCall;
}

/** Runs a tool whose failures the panel shows: nothing is thrown at VS Code, which would say them a second time. */
export function* runForPerson(
  { desk }: Pick<RunToolParts, 'desk'>,
  { tool, plugin }: Pick<RegisteredTool, 'tool' | 'plugin'>,
  form: Omit<RunRequest, 'tool' | 'plugin'> = {},
): Operation<unknown> {
  createRecentTools((yield* useExtension()).workspaceState).used(tool.name);
  try {
    const { entry, end } = yield* (yield* desk()).run({ tool, plugin, ...form });
    const facts = { seen: entry.panel.visible, after: setting('parley.notifyAfter') };
    if (end?.type === 'error' && tellsOfFailure(facts)) {
      (yield* useEdge()).fork('the notification of a failed call', () => sayFailed(entry, end.error.message));
    }
    return end?.type === 'result' ? end.value : undefined;
  } catch (error) {
    (yield* useLog()).error(`${tool.name} could not be run`, error);
    return undefined;
  }
}

/** The tool as it stands in the editor. Loaded here: until something runs, nobody needs it. */
export function* toolAsItStands(tools: ToolPort, chosen: RegisteredTool): Operation<CurrentTool> {
  const { currentTool } = yield* fromThenable(import('./current-tool.ts'));
  return yield* currentTool(tools, chosen);
}

function* sayFailed(entry: CallEntry, message: string): Operation<void> {
  const show = vscode.l10n.t('Show');
  const text = noticeText(vscode.l10n.t('“{0}” failed: {1}', entry.title, message));
  const pressed = yield* fromThenable(vscode.window.showErrorMessage(text, show));
  if (pressed === show) entry.panel.show();
}
