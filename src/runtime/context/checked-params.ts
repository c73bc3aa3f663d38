import type { Operation } from 'effection';
import { ParamsInvalidError } from '../../core/errors/definition-errors.ts';
import { type Validation, validate } from '../../core/schema/validate.ts';
import type { AnyTool } from '../../core/tool/tool.ts';

/** Parameters as the tool gets them. @throws `ParamsInvalidError` */
export function* checkedParams(tool: AnyTool, given: unknown): Operation<unknown> {
  const checked: Validation<unknown> = yield* validate(tool.def.parameters.schema, given);
  if (!checked.ok) throw new ParamsInvalidError({ toolName: tool.name, problem: checked.problem });
  return checked.value;
}
