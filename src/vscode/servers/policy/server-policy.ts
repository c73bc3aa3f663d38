import type { Operation } from 'effection';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import type {
  Approval,
  CallPolicy,
  JudgedCall,
  PolicyDecision,
} from '../../../runtime/policy/call-policy.ts';
import { changedLines, keptPart } from '../../../runtime/policy/fingerprint.ts';
import { onlyReads } from '../../../runtime/policy/only-reads.ts';
import { isForPerson, type PolicyRule, ruleText, strictest } from '../../../runtime/policy/rules.ts';
import type { Translate } from '../../calls/notices/explain.ts';
import { type Facts, policyFacts } from './facts.ts';
import type { Lasts, PolicyWord, Words } from './words.ts';

/** What the person said, with the arguments as they left them. */
export type ApprovalAnswer =
  | { readonly approved: true; readonly params: JsonObject; readonly lasts: Lasts }
  | { readonly approved: false };

/** What is asked about a call. */
export interface ApprovalQuestion {
  readonly server: string | undefined;
  /** What has changed since the person allowed the tool, as a diff. */
  readonly changed: string | undefined;
}

/** What a policy works with. */
export interface ServerPolicyParts {
  /** The rules as they are now. */
  rules(): readonly PolicyRule[];
  readonly words: Words;
  /** A server's tool as the server lists it now; nothing where it does not. */
  listed(tool: AnyTool): AnyTool | undefined;
  /** Asks the person. */
  ask(call: JudgedCall, question: ApprovalQuestion): Operation<ApprovalAnswer>;
  readonly t: Translate;
}

/**
 * Decides by rules, then by what the person said for good or for this window. A tool is judged by what its server says of it now, and
 * keeps its name for the rules whatever its server does with its list meanwhile.
 */
export function createServerPolicy({ rules, words, listed, ask, t }: ServerPolicyParts): CallPolicy {
  const about = (tool: AnyTool) => policyFacts(tool, listed(tool));

  return {
    *forPerson(tool) {
      return isForPerson(rules(), tool);
    },
    *decide(call) {
      const facts = about(call.tool);
      const { server, tool, claims } = facts;
      const rule = strictest(rules(), {
        server,
        tool,
        annotations: claims,
        params: call.params,
        named: call.named,
      });
      if (!rule && call.named) return undefined;
      if (!rule) return { ...byWords(call, facts, words.about(facts.key), t), about: facts.print };
      const { verdict, annotation } = rule;
      const believed = verdict === 'allow' ? annotation : undefined;
      return { verdict, why: ruleText(rule), believed, about: facts.print };
    },
    *ask(call) {
      let facts = about(call.tool);
      let known = words.about(facts.key);
      let { params } = call;
      for (;;) {
        const changed = known && !isSame(known, facts) ? changedLines(known.said, facts.said) : undefined;
        const answer = yield* ask({ ...call, params }, { server: facts.server, changed });
        if (!answer.approved) return { approved: false, why: t('you did not allow it') };
        const shown = wordOf(facts);
        facts = about(call.tool);
        if (isSame(shown, facts)) {
          if (answer.lasts !== 'call') yield* words.keep(facts.key, shown, answer.lasts);
          return approvalOf(call.params, answer.params, answer.lasts, t);
        }
        // What the person allowed is not what it is any more.
        known = shown;
        ({ params } = answer);
      }
    },
  };
}

function wordOf({ reached, fingerprint, said }: Facts): PolicyWord {
  return { hash: reached, fingerprint, said: keptPart(said) };
}

function isSame(word: PolicyWord, { reached, fingerprint }: Facts): boolean {
  return word.hash === reached && word.fingerprint === fingerprint;
}

/** What the person has said counts as long as the server and what its tool says of itself are as they were. */
function byWords(
  { from, tool }: JudgedCall,
  facts: Facts,
  word: PolicyWord | undefined,
  t: Translate,
): PolicyDecision {
  if (word && facts.listed && isSame(word, facts))
    return { verdict: 'allow', why: t('you have allowed this tool') };
  if (word) return { verdict: 'ask', why: t('changed since you allowed it') };
  if (from === 'outside') return { verdict: 'allow', why: t('approved by the caller') };
  // What a tool of ours says of itself is believed, as everywhere; what a server says is a claim.
  const reads = facts.server === undefined && onlyReads(tool);
  if (reads) return { verdict: 'allow', why: t('it is read-only') };
  return { verdict: 'ask', why: t('you have not allowed it yet') };
}

function approvalOf(before: JsonObject, params: JsonObject, lasts: Lasts, t: Translate): Approval {
  const edited =
    JSON.stringify(before) === JSON.stringify(params) ? '' : t(', with arguments that you edited');
  const how = {
    call: t('you allowed this call'),
    window: t('you allowed this tool until the window is closed'),
    always: t('you always allow this tool'),
  };
  return { approved: true, params, why: `${how[lasts]}${edited}` };
}
