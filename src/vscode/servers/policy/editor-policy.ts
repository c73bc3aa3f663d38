import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { CallPolicy } from '../../../runtime/policy/call-policy.ts';
import { type PolicyRule, readRules } from '../../../runtime/policy/rules.ts';
import { fromThenable } from '../../bridge.ts';
import type { CallDesk } from '../../calls/desk.ts';
import type { Lazy } from '../../calls/lazy.ts';
import { useEdge, useExtension, useLog } from '../../contexts.ts';
import type { WindowServers } from '../keep-servers.ts';
import type { ServerBook } from '../server-book.ts';
import { askApproval } from './ask-approval.ts';
import { createServerPolicy } from './server-policy.ts';
import { createWords } from './words.ts';

/** The policy of this window: rules of the settings, what the person said for good or for this window, and their panel. */
export function* useEditorPolicy(
  book: ServerBook<WindowServers>,
  desk: Lazy<CallDesk>,
): Operation<CallPolicy> {
  const log = yield* useLog();
  const edge = yield* useEdge();
  let told = '';
  /** In a notification once for each rule that cannot be read: calls are refused until it is corrected. */
  const tell = (rules: readonly PolicyRule[]) => {
    const problems = rules.flatMap(({ unreadable = [] }) => unreadable).join('; ');
    if (problems !== told && problems !== '')
      edge.fork('say that a rule cannot be read', () => sayBroken(problems));
    told = problems;
    return rules;
  };
  return createServerPolicy({
    rules: () => tell(rulesNow((problem) => log.warn(`parley.policy: ${problem}`))),
    words: createWords((yield* useExtension()).workspaceState),
    listed: ({ def: { foreign } }) => foreign && book.keeper()?.unit(foreign.server)?.tool(foreign.tool),
    *ask(call, question) {
      return yield* askApproval(yield* desk(), call, question);
    },
    t: vscode.l10n.t,
  });
}

function* sayBroken(problems: string): Operation<void> {
  const open = vscode.l10n.t('Open Settings');
  const message = vscode.l10n.t(
    'A rule of the setting “parley.policy” cannot be read. Calls that it may be about are refused: {0}',
    problems,
  );
  const pressed = yield* fromThenable(vscode.window.showWarningMessage(message, open));
  if (pressed === open)
    yield* fromThenable(vscode.commands.executeCommand('workbench.action.openSettings', 'parley.policy'));
}

/** Those of the person for all workspaces, and those of this one, which can only narrow. */
function rulesNow(report: (problem: string) => void): readonly PolicyRule[] {
  const written = vscode.workspace.getConfiguration().inspect<unknown>('parley.policy');
  return [
    ...readRules(written?.globalValue, true, report),
    ...readRules(written?.workspaceValue, false, report),
    ...readRules(written?.workspaceFolderValue, false, report),
  ];
}
