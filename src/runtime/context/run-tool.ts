import type { Operation } from 'effection';
import { OutputInvalidError, ResultNotJsonError } from '../../core/errors/definition-errors.ts';
import { StepError } from '../../core/errors/journal-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { type Validation, validate } from '../../core/schema/validate.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import { keepThrown } from '../call/thrown.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { causeOf, toJson, toResultJson } from '../data/json-data.ts';
import { checkNamed } from '../policy/policed-tool.ts';
import { report, reportNow } from './report.ts';
import { rollBack } from './step.ts';
import { CallContext, type QuietPhase } from './tool-context.ts';
import { checkedSteps, refuseUnfinished, Unfinished } from './unfinished.ts';

/**
 * Runs a tool's code from its parsed parameters to a result that is valid and JSON. `made` gets each of its contexts before
 * its code does.
 */
export function* runTool(
  call: ToolSide,
  made?: (ctx: ToolContext) => void,
): Operation<JsonValue | undefined> {
  call.done = [];
  try {
    return yield* runCode(call, made);
  } catch (error) {
    if (call.tool.def.durable?.undo && !call.over) yield* undoFor(call, toError(error));
    throw error;
  }
}

/** Undoes what a tool has done that has failed. @throws `RollbackError` where that is not possible */
function* undoFor(call: ToolSide, failure: Error): Operation<void> {
  // What it fails with from here on.
  call.thrown = undefined;
  const { undone } = yield* keepThrown(call, rollBack(call, call.root, failure));
  call.thrown = failure;
  if (undone.length > 0) yield* report(call, call.root, 'notice', `undone: ${undone.join(', ')}`);
}

function* runCode(call: ToolSide, made?: (ctx: ToolContext) => void): Operation<JsonValue | undefined> {
  // A tool's declared elicitations exist only at compile time.
  const unfinished = new Unfinished();
  const contextFor = (phase?: QuietPhase) => {
    const ctx = new CallContext(call, call.root, unfinished, runTool, phase) as unknown as ToolContext;
    made?.(ctx);
    return ctx;
  };
  const warn = (problem: string) => reportNow(call, call.root, 'warning', problem);
  const code = keepThrown(call, runBody(call, contextFor));
  const returned = yield* unfinished.checked(call.toolName, code, warn);
  refuseUnfinished(call.toolName, returned);
  const { output } = call.tool.def;
  return jsonOf(call, output ? yield* checkedOutput(call, output, returned) : returned);
}

function* runBody(call: ToolSide, contextFor: (phase?: QuietPhase) => ToolContext): Operation<unknown> {
  const { body } = call.tool.def;
  const { toolName, params } = call;
  const ctx = contextFor();
  yield* checkNamed(call.tool, ctx, params);
  if (body.kind === 'execute') return yield* checkedSteps(toolName, () => body.execute(params, ctx));
  const { phases } = body;
  const before = () => phases.before(params, contextFor('before'));
  const handoff = yield* handedOn(call, () => checkedSteps(toolName, before));
  call.handoff = handoff;
  const result = yield* checkedSteps(toolName, () => phases.client(handoff, ctx, params));
  return yield* checkedSteps(toolName, () => phases.after(handoff, result, contextFor('after'), params));
}

/** What `before` hands on. In a durable tool it runs once in the life of the call, as a step does. */
function* handedOn(call: ToolSide, before: () => Operation<unknown>): Operation<unknown> {
  if (!call.tool.def.durable) return yield* before();
  const kept = call.path ? undefined : call.gate.earlierHandoff();
  if (kept) return kept.value;
  const json = toJson(yield* before());
  if (!json.ok)
    throw new StepError({
      step: 'before',
      problem: `gave what is not JSON: ${json.problem}. Hand on JSON.`,
      ...causeOf(json),
    });
  // It is kept for the call's own tool alone: that of another one runs again, and what it asks is answered.
  if (!call.path) yield* call.gate.keepHandoff(json.value);
  return json.value;
}

function* checkedOutput(
  { tool }: ToolSide,
  { schema }: NonNullable<ToolSide['tool']['def']['output']>,
  returned: unknown,
): Operation<unknown> {
  const checked: Validation<unknown> = yield* validate(schema, returned);
  if (!checked.ok) throw new OutputInvalidError({ toolName: tool.name, problem: checked.problem });
  return checked.value;
}

function jsonOf({ tool }: ToolSide, value: unknown): JsonValue | undefined {
  const json = toResultJson(value);
  if (!json.ok)
    throw new ResultNotJsonError({ toolName: tool.name, problem: json.problem, ...causeOf(json) });
  return json.value;
}
