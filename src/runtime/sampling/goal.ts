import type { Operation } from 'effection';
import type { MessageContent } from '../../core/messages/content.ts';
import { defined } from '../../core/schema/defined.ts';
import type { SampleAnswer } from '../../core/tool/ask.ts';
import { modelSchemaOf } from './model-schema.ts';
import type { SampleGoal } from './options.ts';
import { readSchemaAnswer } from './read-schema-answer.ts';
import { readToolCalls } from './read-tool-calls.ts';
import { type AnswerForm, schemaTool } from './request.ts';

/** What an answer says. */
export interface GoalReading {
  /** What is wrong with it, for a retry. */
  readonly problem: string | undefined;
  /** What the result has beside the text. */
  readonly result: object;
  /** How the exchange shows the answer, where that is not how it came. */
  readonly content?: readonly MessageContent[];
}

/** How to ask for what is wanted, and how to read what comes back. */
export interface GoalPlan {
  readonly form: AnswerForm;
  read(answer: SampleAnswer): Operation<GoalReading>;
}

const TEXT: GoalPlan = {
  form: { kind: 'text' },
  *read() {
    return { problem: undefined, result: {} };
  },
};

/** Plans a sampling. A client that cannot use tools is asked for JSON in so many words. */
export function planGoal(goal: SampleGoal, canUseTools: boolean): GoalPlan {
  switch (goal.kind) {
    case 'text':
      return TEXT;
    case 'schema':
      return planSchema(goal, canUseTools);
    case 'tools':
      return planTools(goal);
  }
}

function planSchema({ schema }: Extract<SampleGoal, { kind: 'schema' }>, canUseTools: boolean): GoalPlan {
  const model = modelSchemaOf(schema, 'the schema of a sampling');
  return {
    form: canUseTools ? schemaTool(model.json) : { kind: 'json', schema: model.json },
    *read(answer) {
      const reading = yield* readSchemaAnswer(answer, schema, model);
      if (!reading.ok) return { problem: reading.problem, result: { problem: reading.problem } };
      return { problem: undefined, result: { parsed: reading.value }, content: [reading.call] };
    },
  };
}

function planTools(goal: Extract<SampleGoal, { kind: 'tools' }>): GoalPlan {
  const { tools, toolChoice } = goal;
  return {
    form: {
      kind: 'tools',
      tools: tools.map(({ name, description, inputSchema }) => ({
        name,
        ...defined({ description }),
        inputSchema: modelSchemaOf(inputSchema, `the input of tool '${name}'`).json,
      })),
      toolChoice,
    },
    *read(answer) {
      const { toolCalls, problem } = yield* readToolCalls(answer, goal);
      return { problem, result: problem === undefined ? { toolCalls } : { toolCalls, problem } };
    },
  };
}
