import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createChatEngine } from '#src/chat/engine.ts';
import { newConversation } from '#src/chat/state.ts';
import { createMcpTool } from '#src/core/index.ts';
import type { SampleAnswer } from '#src/core/tool/ask.ts';
import { toolUse, unreadableInput } from '#src/core/tool/tool-input.ts';
import { chatAnswer } from '#src/mcp/model/chat-answer.ts';
import { decodeSample } from '#src/mcp/wire/sample.ts';
import { createCollector } from '#src/vscode/calls/sampler/collect.ts';
import { collector, ending, says, withManager } from '../chat/rig.ts';
import { scriptedModel } from '../runtime/sampling/scripted-model.ts';

const UNREADABLE = [
  '{"all":',
  '{"all":true}{"all":false}',
  '[]',
  'null',
  '7',
  '"{}"',
  "{'all': true}",
  'all=true',
];

/** Each way on which a model's call comes. */
const WAYS: Readonly<Record<string, (given: unknown) => SampleAnswer>> = {
  'an OpenAI-compatible server': (given) =>
    chatAnswer(
      { choices: [{ message: { tool_calls: [{ id: '1', function: { name: 'wipe', arguments: given } }] } }] },
      'm',
    ),
  'an MCP client': (given) =>
    decodeSample({ model: 'm', content: [{ type: 'tool_use', id: '1', name: 'wipe', input: given }] }),
  "the editor's model": (given) => {
    const made = createCollector();
    made.add({ type: 'call', id: '1', name: 'wipe', input: given as never });
    return made.answer('m');
  },
};
const schema = z.object({ all: z.boolean().default(true), arguments: z.unknown().optional() });

describe.each(Object.entries(WAYS))('arguments by way of %s', (_way, answered) => {
  it.each(UNREADABLE)('that cannot be read run nothing, and are sent back: %s', async (given) => {
    const model = scriptedModel([answered(given)]);
    const tools = [{ name: 'wipe', inputSchema: schema }] as const;
    const { toolCalls, problem } = await run(() => model.sample({ prompt: 'go', tools }));
    expect([toolCalls, problem]).toEqual([[], expect.stringContaining('no JSON object')]);
    const typed = scriptedModel([answered(given)]);
    expect(await run(() => typed.sample({ prompt: 'go', schema }))).toMatchObject({
      problem: expect.stringContaining('no JSON object'),
    });
  });

  it('that are text of an object are read', async () => {
    const model = scriptedModel([answered('{"all":false}')]);
    const tools = [{ name: 'wipe', inputSchema: schema }] as const;
    const { toolCalls } = await run(() => model.sample({ prompt: 'go', tools }));
    expect(toolCalls).toMatchObject([{ input: { all: false } }]);
  });
});

it.each(UNREADABLE)('the chat engine runs no call whose arguments cannot be read: %s', async (given) => {
  const ran: unknown[] = [];
  const wipe = createMcpTool('wipe')
    .description('Wipes.')
    .parameters(schema)
    .elicits({})
    .execute(function* (args) {
      ran.push(args);
      return 'wiped';
    });
  const sent: unknown[] = [];
  const answers = [
    { role: 'assistant', content: [toolUse('1', 'wipe', given)], model: 'm' },
    { role: 'assistant', content: says('ok'), model: 'm' },
  ];
  await withManager((manager) =>
    createChatEngine({
      ...ending(manager, {
        *respond({ messages }) {
          sent.push(messages.at(-1));
          return JSON.parse(JSON.stringify(answers.shift())) as SampleAnswer;
        },
      }),
      tools: () => [wipe],
    }).turn(
      { state: newConversation('c'), message: { role: 'user', content: says('go') } },
      collector().emit,
    ),
  );
  expect(ran).toEqual([]);
  expect(JSON.stringify(sent[1])).toContain('send all of them again');
});

it.each([undefined, null, '', ' \n', {}, '{}'])('no arguments are an empty object: %j', (given) => {
  expect(toolUse('1', 'now', given).input).toEqual({});
  expect(unreadableInput(toolUse('1', 'now', given))).toBeUndefined();
});
