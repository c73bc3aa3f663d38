import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { CallPolicy } from '../../../runtime/policy/call-policy.ts';
import { type PolicyRule, readRules } from '../../../runtime/policy/rules.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { useHome, useLog } from '../../contexts.ts';
import type { Lazy } from '../../lazy.ts';
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
  return createServerPolicy({
    rules: () => rulesNow((problem) => log.warn(`parley.policy: ${problem}`)),
    words: createWords((yield* useHome()).workspaceState),
    listed: ({ def: { foreign } }) => foreign && book.keeper()?.unit(foreign.server)?.tool(foreign.tool),
    *ask(call, question) {
      return yield* askApproval(yield* desk(), call, question);
    },
    t: vscode.l10n.t,
  });
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
