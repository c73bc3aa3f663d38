import type { Operation } from 'effection';
import { blocksOf } from '../../core/messages/content.ts';
import { asLabel } from '../../core/messages/label.ts';
import { validate } from '../../core/schema/validate.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { unreadableInput } from '../../core/tool/tool-input.ts';
import { inputOf, modelSchemaOf } from './model-schema.ts';
import type { SampleGoal } from './options.ts';
import { cutOff } from './read-schema-answer.ts';

/** One call with its parsed input. */
export interface ReadToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: unknown;
}

/** The calls that fit, and what is wrong with the others or with there being none. */
export interface ToolReading {
  readonly toolCalls: readonly ReadToolCall[];
  readonly problem: string | undefined;
}

/** What is wrong with that many calls is told: an answer may have hundreds. */
const SHOWN = 8;

/** Reads the tool calls of an answer, each parsed with its tool's schema. */
export function* readToolCalls(
  answer: SampleAnswer,
  { tools, toolChoice, mustCall }: Extract<SampleGoal, { kind: 'tools' }>,
): Operation<ToolReading> {
  const toolCalls: ReadToolCall[] = [];
  const problems: string[] = [];
  const names = tools.map((tool) => tool.name).join(', ');
  const calls = blocksOf(answer).filter((block) => block.type === 'tool_use');
  if (calls.length > 0 && toolChoice?.mode === 'none') {
    return { toolCalls, problem: 'the answer calls a tool, which was not asked for: answer with text' };
  }
  for (const call of calls) {
    const { id, name, input } = call;
    const tool = tools.find((candidate) => candidate.name === name);
    if (!tool) {
      problems.push(`there is no tool '${asLabel(name)}': call one of ${names}`);
      continue;
    }
    const unread = typeof input === 'string' ? undefined : unreadableInput(call);
    if (unread !== undefined) {
      problems.push(`'${name}' did not run: ${unread}`);
      continue;
    }
    const model = modelSchemaOf(tool.inputSchema, `the input of tool '${name}'`);
    const checked = yield* validate(tool.inputSchema, inputOf(input, model));
    if (checked.ok) toolCalls.push({ id, name, input: checked.value });
    else problems.push(`the input of '${name}' does not fit: ${checked.problem}`);
  }
  if (calls.length === 0 && mustCall) {
    problems.push(`the answer calls no tool: call one of ${names}`);
  }
  const told = [...new Set(problems)];
  const more = told.length > SHOWN ? [`and ${told.length - SHOWN} more`] : [];
  const said = [...told.slice(0, SHOWN), ...more].join('; ');
  return { toolCalls, problem: problems.length > 0 ? said + cutOff(answer) : undefined };
}
