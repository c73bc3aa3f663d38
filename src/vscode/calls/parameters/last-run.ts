import type { Operation } from 'effection';
import type { Memento } from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import { validate } from '../../../core/schema/validate.ts';
import type { AnyTool } from '../../../core/tool/tool.ts';
import { createLastParameters } from './last-parameters.ts';

/** What a tool was run with last, where it still fits as it is: parameters may have changed, and secrets are not kept. */
export function* parametersOfLastRun(tool: AnyTool, state: Memento): Operation<JsonObject | undefined> {
  const params = createLastParameters(state).get(tool.name);
  if (params === undefined) return undefined;
  return (yield* validate(tool.def.parameters.schema, params)).ok ? params : undefined;
}
