import type { Operation } from 'effection';
import { CallDeniedError, ToolNotApprovedError } from '../../core/errors/call-errors.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import type { ReportContext } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { type BehindContext, behindContext } from '../call/behind-context.ts';
import { checkedParams } from '../context/checked-params.ts';
import { CallPolicyContext, CallRouteContext } from './call-policy.ts';
import { gatedTool, whileAsked } from './gated-tool.ts';

/**
 * A tool that asks the policy before each call, whichever way it is called: by a person, a host, another tool or code. What was
 * decided, and why, is a line of the call's log.
 */
export function policedTool(tool: AnyTool): AnyTool {
  const policed = gatedTool(tool, (behind, ctx, params) =>
    approvedParams(tool, behind, ctx, params as JsonObject),
  );
  POLICED.add(policed);
  return policed;
}

const POLICED = new WeakSet<AnyTool>();

/** Whether a tool asks the policy itself. By the tool and not by its name, which may be another tool's by now. */
export function isPoliced(tool: AnyTool): boolean {
  return POLICED.has(tool);
}

/**
 * Asks the policy about a tool of ours, which runs without that where no rule names it. Not about one that is taken up: it was asked about when
 * it began.
 */
export function* checkNamed(tool: AnyTool, ctx: ReportContext, params: unknown): Operation<void> {
  if (tool.def.foreign || isPoliced(tool)) return;
  const behind = behindContext(ctx);
  // Without an effect where there are no rules: code begins at once.
  if (behind?.call.policy?.namesOwn?.() && !behind.call.history.replaying)
    yield* approvedParams(tool, behind, ctx, params as JsonObject, true);
}

function* approvedParams(
  tool: AnyTool,
  behind: BehindContext,
  ctx: ReportContext,
  params: JsonObject,
  named = false,
): Operation<unknown> {
  const policy = yield* CallPolicyContext.get();
  if (!policy) return params;
  const { name } = tool;
  const route = yield* CallRouteContext.get();
  const from = behind.path || route?.kind === 'inside' ? 'inside' : 'outside';
  const call = { session: behind.call, tool, params, from, named } as const;
  const decision = yield* policy.decide(call);
  if (!decision) return params;
  const { verdict, why, about } = decision;
  if (verdict === 'deny') return yield* denied(ctx, name, why);
  // What was approved is what the tool was then: one that has changed meanwhile is asked about.
  const approved = route?.kind === 'approved' && route.toolName === name && route.about === about;
  if (verdict === 'allow' || approved) {
    yield* ctx.log('debug', `'${name}' may run: ${verdict === 'allow' ? why : 'you approved this call'}`);
    return params;
  }
  const said = yield* whileAsked(behind, ctx, name, () => policy.ask(call));
  yield* ctx.log(
    said.approved ? 'info' : 'warning',
    `'${name}' ${said.approved ? 'may run' : 'was not run'}: ${said.why}`,
  );
  if (!said.approved) throw new ToolNotApprovedError({ toolName: name });
  if (named) return params;
  // The person may have edited them: to what does not fit, or to what a rule forbids.
  const edited = yield* checkedParams(tool, said.params);
  const again = yield* policy.decide({ ...call, params: edited as JsonObject });
  return again?.verdict === 'deny' ? yield* denied(ctx, name, again.why) : edited;
}

function* denied(ctx: ReportContext, name: string, why: string): Operation<never> {
  yield* ctx.log('warning', `'${name}' was not run: ${why}`);
  throw new CallDeniedError({ toolName: name, why });
}
