import { run } from 'effection';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import { calls, type Scripted, scriptedModel, user } from './scripted-model.ts';

const move = {
  name: 'move',
  description: 'Plays.',
  inputSchema: z.object({ cell: z.coerce.number().int() }),
} as const;
const resign = { name: 'resign', inputSchema: z.object({ why: z.string().optional() }) } as const;

describe('sample with tools', () => {
  it('offers them as given, and returns the calls with parsed input', async () => {
    const model = scriptedModel([[{ type: 'text', text: 'I play.' }, calls('move', { cell: '4' }, 'c1')]]);
    const result = await run(() =>
      model.sample({ prompt: 'Your move', tools: [move, resign], toolChoice: { mode: 'auto' } }),
    );
    expect(model.requests[0]).toMatchObject({
      tools: [
        { name: 'move', description: 'Plays.', inputSchema: { properties: { cell: { type: 'integer' } } } },
        { name: 'resign', inputSchema: { type: 'object' } },
      ],
      toolChoice: { mode: 'auto' },
    });
    expect(result).toMatchObject({
      text: 'I play.',
      toolCalls: [{ id: 'c1', name: 'move', input: { cell: 4 } }],
    });
    expect(result.problem).toBeUndefined();
    const [call] = result.toolCalls;
    if (call?.name === 'move') expectTypeOf(call.input).toEqualTypeOf<{ cell: number }>();
    else if (call) expectTypeOf(call.input).toEqualTypeOf<{ why?: string | undefined }>();
  });

  it('is content with text when no call is required', async () => {
    const model = scriptedModel(['I pass']);
    const result = await run(() => model.sample({ prompt: 'Your move', tools: [move] }));
    expect(result).toMatchObject({ text: 'I pass', toolCalls: [] });
    expect(result).not.toHaveProperty('problem');
    expect(result.exchange.messages).toHaveLength(2);
  });

  it('is text where no call is wanted, and none is made', async () => {
    const model = scriptedModel(['I pass']);
    const result = await run(() =>
      model.sample({ prompt: 'Your move', tools: [move], toolChoice: { mode: 'none' } }),
    );
    expect(result).toMatchObject({ text: 'I pass', toolCalls: [] });
    expect(result).not.toHaveProperty('problem');
  });

  it.each<[string, Scripted, 'auto' | 'required' | 'none', string]>([
    [
      'a tool that does not exist',
      calls('jump', {}),
      'auto',
      "there is no tool 'jump': call one of move, resign",
    ],
    [
      'input that does not fit',
      calls('move', { cell: 'x' }),
      'auto',
      "the input of 'move' does not fit: cell",
    ],
    ['no call where one is required', 'I pass', 'required', 'calls no tool'],
    ['a call where none is allowed', calls('move', { cell: 1 }), 'none', 'which was not asked for'],
  ])('says what is wrong with %s', async (_what, answer, mode, words) => {
    const model = scriptedModel([answer]);
    const result = await run(() =>
      model.sample({ prompt: 'x', tools: [move, resign], toolChoice: { mode } }),
    );
    expect(result.toolCalls).toEqual([]);
    expect(result.problem).toContain(words);
  });

  it('says in few words what is wrong with hundreds of calls', async () => {
    const wrong = Array.from({ length: 500 }, (_, at) => calls(`${at}_${'x'.repeat(1000)}`, {}, `id-${at}`));
    const model = scriptedModel([[...wrong, ...wrong.map(() => calls('move', {}))]]);
    const { problem } = await run(() => model.sample({ prompt: 'x', tools: [move] }));
    expect(problem).toMatch(/there is no tool '0_x+…'.* and 493 more$/);
    expect(problem?.length).toBeLessThan(4000);
  });

  it('keeps the calls that fit beside those that do not', async () => {
    const model = scriptedModel([[calls('move', { cell: 1 }, 'a'), calls('move', {}, 'b')]]);
    const result = await run(() => model.sample({ prompt: 'x', tools: [move] }));
    expect(result.toolCalls).toEqual([{ id: 'a', name: 'move', input: { cell: 1 } }]);
    expect(result.problem).toContain("the input of 'move' does not fit");
  });
});

describe('sampleTools', () => {
  it('requires a call unless told otherwise, and asks again until every call fits', async () => {
    const model = scriptedModel([
      'Let me think',
      [calls('move', { cell: 'x' }, 'a'), calls('resign', {}, 'b')],
      calls('move', { cell: 2 }, 'c'),
    ]);
    const { toolCalls, exchange } = await run(() =>
      model.sampleTools({ prompt: 'Your move', tools: [move, resign] }),
    );
    expectTypeOf(toolCalls[0].name).toEqualTypeOf<'move' | 'resign'>();
    expect(toolCalls).toEqual([{ id: 'c', name: 'move', input: { cell: 2 } }]);
    expect(model.requests.map((request) => request.toolChoice)).toEqual(Array(3).fill({ mode: 'required' }));
    const corrections = model.requests[2]?.messages.at(-1);
    expect(corrections?.content).toMatchObject([
      { type: 'tool_result', toolUseId: 'a', isError: true },
      { type: 'tool_result', toolUseId: 'b', isError: true },
    ]);
    expect(exchange.withResults(() => 'your turn').messages.at(-1)).toMatchObject({
      content: [{ toolUseId: 'c', content: [{ text: 'your turn' }] }],
    });
  });

  it('waits for a call also where the model is free to answer with text', async () => {
    const model = scriptedModel(['text', calls('move', { cell: 1 })]);
    const choice = { mode: 'auto' } as const;
    const result = await run(() =>
      model.sampleTools({ messages: [user('x')], tools: [move], toolChoice: choice }),
    );
    expect(result.toolCalls).toHaveLength(1);
    expect(model.requests[0]?.toolChoice).toEqual(choice);
  });

  it('gives up with what was wrong and the last answer', async () => {
    const model = scriptedModel(['a', 'b']);
    await expect(
      run(() => model.sampleTools({ prompt: 'x', tools: [move], retries: 1 })),
    ).rejects.toMatchObject({
      code: 'SAMPLE_VALIDATION',
      attempts: 2,
      lastAnswer: { content: { text: 'b' } },
    });
  });
});
