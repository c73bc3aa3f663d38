import type { Operation } from 'effection';
import { blocksOf, type ToolUseContent, textOf } from '../../core/messages/content.ts';
import type { Schema } from '../../core/schema/schema.ts';
import { validate } from '../../core/schema/validate.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { SCHEMA_TOOL_NAME } from '../../core/tool/sample.ts';
import { unreadableInput } from '../../core/tool/tool-input.ts';
import { nextId } from '../../core/world/ids.ts';
import { jsonInText } from './json-in-text.ts';
import { asInput, inputOf, type ModelSchema } from './model-schema.ts';

/** Data read from an answer, with the `tool_use` that carried it or could have; or what was wrong. */
export type SchemaReading =
  | { readonly ok: true; readonly value: unknown; readonly call: ToolUseContent }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads data from an answer: the input of the reserved tool's `tool_use`, or else the last JSON in the text that fits.
 */
export function* readSchemaAnswer(
  answer: SampleAnswer,
  schema: Schema,
  model: ModelSchema,
): Operation<SchemaReading> {
  let problem: string | undefined;
  for (const call of likelyCalls(answer)) {
    const unread = typeof call.input === 'string' ? undefined : unreadableInput(call);
    const checked = yield* validate(schema, inputOf(call.input, model));
    if (checked.ok && unread === undefined) return { ok: true, value: checked.value, call };
    problem ??= unread ?? (checked.ok ? undefined : checked.problem);
  }
  for (const found of jsonInText(textOf(answer))) {
    for (const candidate of new Set([inputOf(found, model), found])) {
      const checked = yield* validate(schema, candidate);
      if (checked.ok) {
        const id = yield* nextId('toolu');
        const input = asInput(candidate, model);
        return {
          ok: true,
          value: checked.value,
          call: { type: 'tool_use', id, name: SCHEMA_TOOL_NAME, input },
        };
      }
      problem ??= checked.problem;
    }
  }
  return { ok: false, problem: (problem ?? 'the answer holds no JSON') + cutOff(answer) };
}

/** Calls of the reserved tool; a model that calls another although there is only one means that one. */
function likelyCalls(answer: SampleAnswer): readonly ToolUseContent[] {
  const calls = blocksOf(answer).filter((block) => block.type === 'tool_use');
  const reserved = calls.filter((call) => call.name === SCHEMA_TOOL_NAME);
  return reserved.length > 0 ? reserved : calls;
}

/** Words for an answer that ended too early, which explains most broken JSON. */
export function cutOff(answer: SampleAnswer): string {
  return answer.stopReason === 'maxTokens' ? ' (the answer was cut off at maxTokens)' : '';
}
