import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type {
  Approval,
  CallPolicy,
  JudgedCall,
  PolicyDecision,
} from '../../../runtime/policy/call-policy.ts';
import { changedLines, fingerprintOf, keptOf, saidOf } from '../../../runtime/policy/fingerprint.ts';
import { type PolicyRule, readRules, ruleText, strictest } from '../../../runtime/policy/rules.ts';
import type { CallDesk } from '../../calls/desk.ts';
import { useHome, useLog } from '../../contexts.ts';
import type { Lazy } from '../../lazy.ts';
import type { WindowServers } from '../keep-servers.ts';
import type { ServerBook } from '../server-book.ts';
import { askApproval } from './ask-approval.ts';
import { createWords, type PolicyWord } from './words.ts';

/** The policy of this window: rules of the settings, what the person said for good or for this window, and their panel. */
export function* useEditorPolicy(
  book: ServerBook<WindowServers>,
  desk: Lazy<CallDesk>,
): Operation<CallPolicy> {
  const log = yield* useLog();
  const words = createWords((yield* useHome()).workspaceState);

  return {
    *decide(call) {
      const facts = factsOf(book, call.tool);
      const ruled = {
        server: facts.server,
        tool: facts.tool,
        annotations: facts.claims,
        params: call.params,
      };
      const rule = strictest(
        rulesNow((problem) => log.warn(`parley.policy: ${problem}`)),
        ruled,
      );
      if (rule) {
        const { verdict, annotation } = rule;
        return { verdict, why: ruleText(rule), believed: verdict === 'allow' ? annotation : undefined };
      }
      return byWords(call, facts, words.about(facts.key));
    },
    *ask(call) {
      const facts = factsOf(book, call.tool);
      const known = words.about(facts.key);
      const changed = known && !isSame(known, facts) ? changedLines(known.said, facts.said) : undefined;
      const answer = yield* askApproval(yield* desk(), call, { server: facts.server, changed });
      if (!answer.approved) return { approved: false, why: vscode.l10n.t('you did not allow it') };
      if (answer.lasts !== 'call') {
        const { hash, said } = facts;
        yield* words.keep(
          facts.key,
          { hash, fingerprint: fingerprintOf(said), said: keptOf(said) },
          answer.lasts,
        );
      }
      return approvalOf(call.params, answer.params, answer.lasts);
    },
  };
}

interface Facts {
  readonly server: string | undefined;
  readonly tool: string;
  readonly claims: AnyTool['def']['annotations'];
  /** Of what was started or reached. */
  readonly hash: string;
  readonly said: string;
  readonly key: string;
}

function factsOf(book: ServerBook<WindowServers>, tool: AnyTool): Facts {
  const origin = book.keeper()?.origin(tool.name);
  const claims = origin?.claims ?? tool.def.annotations;
  return {
    server: origin?.server,
    tool: origin?.tool ?? tool.name,
    claims,
    hash: origin?.hash ?? '',
    said: saidOf(tool, claims),
    key: JSON.stringify([origin?.server ?? null, origin?.tool ?? tool.name]),
  };
}

function isSame(word: PolicyWord, { hash, said }: Facts): boolean {
  return word.hash === hash && word.fingerprint === fingerprintOf(said);
}

/** What the person has said counts as long as the server and what its tool says of itself are as they were. */
function byWords({ from, tool }: JudgedCall, facts: Facts, word: PolicyWord | undefined): PolicyDecision {
  if (word && isSame(word, facts))
    return { verdict: 'allow', why: vscode.l10n.t('you have allowed this tool') };
  if (word) return { verdict: 'ask', why: vscode.l10n.t('it has changed since you allowed it') };
  if (from === 'outside')
    return { verdict: 'allow', why: vscode.l10n.t('whoever called it has approved it') };
  // What a tool of ours says of itself is believed, as everywhere; what a server says is a claim.
  const reads = facts.server === undefined && tool.def.annotations.readOnlyHint === true;
  if (reads) return { verdict: 'allow', why: vscode.l10n.t('it only reads') };
  return { verdict: 'ask', why: vscode.l10n.t('you have not allowed it yet') };
}

function approvalOf(before: JsonObject, params: JsonObject, lasts: 'call' | 'window' | 'always'): Approval {
  const edited =
    JSON.stringify(before) === JSON.stringify(params)
      ? ''
      : vscode.l10n.t(', with arguments that you edited');
  const how = {
    call: vscode.l10n.t('you allowed this call'),
    window: vscode.l10n.t('you allowed this tool until the window is closed'),
    always: vscode.l10n.t('you always allow this tool'),
  };
  return { approved: true, params, why: `${how[lasts]}${edited}` };
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
