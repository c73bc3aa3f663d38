import type { Operation } from 'effection';
import { OutputInvalidError } from '../../core/errors/definition-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { type Validation, validate } from '../../core/schema/validate.ts';
import type { ToolContext } from '../../core/tool/context.ts';
import type { ToolSide } from '../call/tool-side.ts';
import { toResultJson } from '../data/json-data.ts';
import { CallContext } from './tool-context.ts';

/**
 * Runs a tool's code from its parsed parameters to a result that is valid and JSON. `made` gets its context before its code
 * does.
 */
export function* runTool(
  call: ToolSide,
  made?: (ctx: ToolContext) => void,
): Operation<JsonValue | undefined> {
  // A tool's declared elicitations exist only at compile time.
  const ctx = new CallContext(call, call.root) as unknown as ToolContext;
  made?.(ctx);
  return yield* checkedOutput(call, yield* runBody(call, ctx));
}

function* runBody(call: ToolSide, ctx: ToolContext): Operation<unknown> {
  const { body } = call.tool.def;
  if (body.kind === 'execute') return yield* body.execute(call.params, ctx);
  const { phases } = body;
  const handoff = yield* phases.before(call.params, ctx);
  call.handoff = handoff;
  const result = yield* phases.client(handoff, ctx, call.params);
  return yield* phases.after(handoff, result, ctx, call.params);
}

function* checkedOutput({ tool }: ToolSide, returned: unknown): Operation<JsonValue | undefined> {
  const { output } = tool.def;
  let value = returned;
  if (output) {
    const checked: Validation<unknown> = yield* validate(output.schema, returned);
    if (!checked.ok) throw new OutputInvalidError(tool.name, checked.problem);
    value = checked.value;
  }
  const json = toResultJson(value);
  if (!json.ok) throw new OutputInvalidError(tool.name, `${json.problem}: return JSON`);
  return json.value;
}
