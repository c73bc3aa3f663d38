import { run } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { isParleyError } from '#src/core/errors/errors.ts';
import type { Sample, SampleSchema, SampleTools } from '#src/core/tool/sample.ts';
import { DEFAULT_MAX_TOKENS } from '#src/runtime/sampling/request.ts';
import { assistant, calls, scriptedModel, user } from './scripted-model.ts';

describe('sample with a prompt', () => {
  it('sends it after the history, and joins the history with the answer', async () => {
    const model = scriptedModel(['Hello', 'Bye']);
    await run(function* () {
      expect(yield* model.sample({ prompt: 'Hi' })).toMatchObject({
        text: 'Hello',
        model: 'scripted',
        stopReason: 'endTurn',
      });
      yield* model.sample({ prompt: 'Ciao' });
    });
    expect(model.requests).toEqual([
      { messages: [user('Hi')], maxTokens: DEFAULT_MAX_TOKENS },
      { messages: [user('Hi'), assistant('Hello'), user('Ciao')], maxTokens: DEFAULT_MAX_TOKENS },
    ]);
    expect(model.history).toEqual([user('Hi'), assistant('Hello'), user('Ciao'), assistant('Bye')]);
  });

  it('keeps the history alternating when the answers are data or tool calls', async () => {
    const model = scriptedModel([calls('__schema__', { n: 1 }), calls('move', { cell: 4 }), 'ok']);
    const move = { name: 'move', inputSchema: z.object({ cell: z.int() }) };
    await run(function* () {
      yield* model.sample({ prompt: 'a', schema: z.object({ n: z.int() }) });
      yield* model.sample({ prompt: 'b', tools: [move] });
      yield* model.sample({ prompt: 'c' });
    });
    expect(model.history.map((message) => message.role)).toEqual(Array(3).fill(['user', 'assistant']).flat());
    expect(model.history[1]).toEqual(assistant('{"n":1}'));
    expect(model.history[3]).toEqual(assistant('I call move with {"cell":4}'));
  });

  it('leaves no message without text in the history: providers refuse one', async () => {
    const model = scriptedModel(['  ', 'ok']);
    await run(function* () {
      expect(yield* model.sample({ prompt: 'a' })).toMatchObject({ text: '  ' });
      yield* model.sample({ prompt: 'b' });
    });
    expect(model.requests[1]?.messages).toEqual([user('a'), assistant('(no answer)'), user('b')]);
  });

  it('does not join the history when it fails', async () => {
    const model = scriptedModel([]);
    await expect(run(() => model.sample({ prompt: 'Hi' }))).rejects.toThrow('no answer is scripted');
    expect(model.history).toEqual([]);
  });
});

describe('sample with messages', () => {
  it('sends them as given and leaves the history alone', async () => {
    const model = scriptedModel(['Hello']);
    const messages = [user('one'), assistant('two'), user('three')];
    const result = await run(() => model.sample({ messages }));
    expect(model.requests[0]?.messages).toEqual(messages);
    expect(result.exchange.messages).toEqual([user('three'), assistant('Hello')]);
    expect(model.history).toEqual([]);
  });

  it('takes the messages of earlier exchanges', async () => {
    const model = scriptedModel([calls('__schema__', { n: 1 }), 'ok']);
    await run(function* () {
      const { exchange } = yield* model.sampleSchema({ prompt: 'a', schema: z.object({ n: z.int() }) });
      yield* model.sample({ messages: [...exchange.messages, user('next')] });
    });
    expect(model.requests[1]?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'id-__schema__' }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'id-__schema__' }] },
      user('next'),
    ]);
  });
});

describe('the settings of a sampling', () => {
  it('reach the client, and its key stays out of the request', async () => {
    const model = scriptedModel(['x']);
    const settings = {
      systemPrompt: 'Be brief.',
      maxTokens: 7,
      temperature: 0,
      stopSequences: ['\n'],
      modelPreferences: { hints: [{ name: 'small' }], speedPriority: 1 },
    };
    await run(() => model.sample({ prompt: 'Hi', ...settings, key: 'tip' }));
    expect(model.requests).toEqual([{ messages: [user('Hi')], ...settings }]);
    expect(model.keys).toEqual(['tip']);
  });

  it('inherit a system prompt, unless they have their own', async () => {
    const model = scriptedModel(['x', 'x', 'x'], { systemPrompt: 'inherited' });
    await run(function* () {
      yield* model.sample({ prompt: 'Hi' });
      yield* model.sample({ prompt: 'Hi', systemPrompt: 'own' });
      yield* model.sample({ prompt: 'Hi', systemPrompt: '' });
    });
    expect(model.requests.map((request) => request.systemPrompt)).toEqual(['inherited', 'own', '']);
  });
});

describe('a sampling that no client can do', () => {
  const tools = [{ name: 'move', inputSchema: z.object({}) }] as const;

  it('fails with the capability that is missing, before anything is asked', async () => {
    const none = scriptedModel(['x'], { capabilities: { elicitation: { form: true } } });
    await expect(run(() => none.sample({ prompt: 'Hi' }))).rejects.toMatchObject({
      code: 'CAPABILITY',
      capability: 'sampling',
    });
    const plain = scriptedModel(['x'], { capabilities: { sampling: { tools: false } } });
    await expect(run(() => plain.sample({ prompt: 'Hi', tools }))).rejects.toMatchObject({
      code: 'CAPABILITY',
      capability: 'sampling.tools',
    });
    expect([...none.requests, ...plain.requests]).toEqual([]);
  });
});

describe('options that do not go together', () => {
  const schema = z.object({});
  const tool = { name: 'move', inputSchema: schema };

  it.each<[string, unknown, keyof Verbs]>([
    ['either prompt or messages', { prompt: 'a', messages: [user('b')] }, 'sample'],
    ['pass { prompt }', {}, 'sample'],
    ['not empty', { prompt: '' }, 'sample'],
    ['at least one message', { messages: [] }, 'sample'],
    ['either schema or tools', { prompt: 'a', schema, tools: [tool] }, 'sample'],
    ['toolChoice goes with tools', { prompt: 'a', schema, toolChoice: { mode: 'auto' } }, 'sample'],
    ['toolChoice goes with tools', { prompt: 'a', toolChoice: { mode: 'auto' } }, 'sample'],
    ['toolChoice.mode is one of', { prompt: 'a', tools: [tool], toolChoice: { mode: 'must' } }, 'sample'],
    ['at least one tool', { prompt: 'a', tools: [] }, 'sample'],
    ['reserved', { prompt: 'a', tools: [{ ...tool, name: '__schema__' }] }, 'sample'],
    ['cannot name a tool', { prompt: 'a', tools: [{ ...tool, name: 'a b' }] }, 'sample'],
    ["two tools are called 'move'", { prompt: 'a', tools: [tool, tool] }, 'sample'],
    ['zod schema', { prompt: 'a', tools: [{ name: 'x', inputSchema: { type: 'object' } }] }, 'sample'],
    ['zod schema', { prompt: 'a', schema: { type: 'object' } }, 'sample'],
    ['cannot be sent as JSON', { prompt: 'a', schema: z.object({ when: z.date() }) }, 'sample'],
    ['maxTokens is a whole number', { prompt: 'a', maxTokens: 0 }, 'sample'],
    ['temperature is a number, not hot', { prompt: 'a', temperature: 'hot' }, 'sample'],
    ['pass { prompt }', undefined, 'sample'],
    ['pass { prompt }', undefined, 'sampleSchema'],
    ['sampleSchema takes a schema', { prompt: 'a' }, 'sampleSchema'],
    ['sampleTools takes tools', { prompt: 'a' }, 'sampleTools'],
    [
      "toolChoice 'none' forbids",
      { prompt: 'a', tools: [tool], toolChoice: { mode: 'none' } },
      'sampleTools',
    ],
    ['retries is a whole number', { prompt: 'a', schema, retries: -1 }, 'sampleSchema'],
    ['retries is a whole number', { prompt: 'a', schema, retries: Number.POSITIVE_INFINITY }, 'sampleSchema'],
  ])('are refused: %s', async (words, options, verb) => {
    const model = scriptedModel(['never asked']);
    const sampling = model[verb] as (options: unknown) => ReturnType<Sample>;
    const error: unknown = await run(() => sampling(options)).catch((thrown) => thrown);
    expect(isParleyError(error, 'SAMPLE_OPTIONS')).toBe(true);
    expect((error as Error).message).toContain(words);
    expect(model.requests).toEqual([]);
  });
});

interface Verbs {
  sample: Sample;
  sampleSchema: SampleSchema;
  sampleTools: SampleTools;
}
