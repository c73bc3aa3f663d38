import type { Operation } from 'effection';
import type { JsonObject } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { behindContext } from '../../runtime/call/behind-context.ts';
import { CallPolicyContext, type PolicyDecision } from '../../runtime/policy/call-policy.ts';
import { onlyReads } from '../../runtime/policy/only-reads.ts';
import type { CodeContext } from '../approval/questions.ts';

/**
 * Whether code may call a tool without approval, by the policy of the host. Where there is none, a tool
 * of ours that reads may; what another server says of its tools counts only where that server is trusted.
 *
 * @param params as its schema has parsed them: what the tool gets
 */
export function* verdictOn(tool: AnyTool, params: unknown, ctx: CodeContext): Operation<PolicyDecision> {
  const policy = yield* CallPolicyContext.get();
  const session = behindContext(ctx)?.call;
  if (policy && session) {
    const decision = yield* policy.decide({ session, tool, params: params as JsonObject, from: 'inside' });
    if (decision) return decision;
  }
  return { verdict: onlyReads(tool) ? 'allow' : 'ask', why: '' };
}
