import { run } from 'effection';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import * as z3 from 'zod/v3';
import { IdsContext } from '#src/core/world/ids.ts';
import { calls, type Scripted, scriptedModel, user } from './scripted-model.ts';

const city = z.object({ city: z.string(), people: z.int().default(0) });
const naive = { capabilities: { sampling: { tools: false } } };

describe('sample with a schema', () => {
  it('offers the reserved tool alone, and requires it', async () => {
    const model = scriptedModel([calls('__schema__', { city: 'Oslo' })]);
    const result = await run(() => model.sample({ prompt: 'Where?', schema: city }));
    expect(model.requests[0]).toMatchObject({
      tools: [
        {
          name: '__schema__',
          description: 'Respond with structured data matching this schema.',
          inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
        },
      ],
      toolChoice: { mode: 'required' },
    });
    expect(model.requests[0]?.tools?.[0]?.inputSchema).not.toHaveProperty('$schema');
    expect(result.parsed).toEqual({ city: 'Oslo', people: 0 });
    expect(result.exchange.parsed).toEqual(result.parsed);
    if (result.problem === undefined) {
      expectTypeOf(result.parsed).toEqualTypeOf<{ city: string; people: number }>();
      expectTypeOf(result.exchange.parsed).toEqualTypeOf<{ city: string; people: number }>();
    }
  });

  const fenced = (json: string) => `Sure, here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nAnything else?`;
  it.each<[string, Scripted]>([
    ['a single block', calls('__schema__', { city: 'Oslo' })],
    ['a list of blocks', [{ type: 'text', text: 'Here.' }, calls('__schema__', { city: 'Oslo' })]],
    ['a tool_use whose input is text', calls('__schema__', '{"city":"Oslo"}')],
    ['a tool_use of another name', calls('answer', { city: 'Oslo' })],
    ['the second of two calls', [calls('__schema__', {}, 'a'), calls('__schema__', { city: 'Oslo' }, 'b')]],
    ['bare JSON', ' {"city": "Oslo"}\n'],
    ['fenced JSON', fenced('{"city": "Oslo"}')],
    ['fenced JSON without a language', '```\n{"city": "Oslo"}\n```'],
    ['fenced JSON that was left open', '```json\n{"city": "Oslo"}'],
    ['the second fenced block', `${fenced('{"town": "Oslo"}')}\n${fenced('{"city": "Oslo"}')}`],
    ['JSON in prose', 'I would say {"city": "Oslo"} because of the {fjord}.'],
    ['JSON after brackets that are none', 'Well [sic] {so}: {"city": "Oslo"}'],
    ['JSON with brackets in its text', 'x {"city": "Oslo", "note": "a } \\" {"} y'],
    ['JSON wrapped as a value', '{"value": {"city": "Oslo"}}'],
  ])('takes %s', async (what, answer) => {
    const model = scriptedModel([answer]);
    const result = await run(() => model.sample({ prompt: 'Where?', schema: city }));
    if (what === 'JSON wrapped as a value') expect(result.problem).toContain('city');
    else expect(result.parsed).toMatchObject({ city: 'Oslo' });
  });

  it.each<[string, Scripted, string]>([
    ['the path', calls('__schema__', { city: 1 }), 'city: must be text'],
    ['that there is no JSON', 'Oslo, of course', 'the answer holds no JSON'],
    ['that there is nothing', [], 'the answer holds no JSON'],
    [
      'that it was cut off',
      {
        role: 'assistant',
        content: { type: 'text', text: '{"city": "Os' },
        model: 'm',
        stopReason: 'maxTokens',
      },
      'cut off at maxTokens',
    ],
  ])('says what is wrong with an answer that does not fit: %s', async (_what, answer, words) => {
    const model = scriptedModel([answer]);
    const result = await run(() => model.sample({ prompt: 'Where?', schema: city }));
    expect(result.parsed).toBeUndefined();
    expect(result.problem).toContain(words);
  });

  it('ends its exchange with our acknowledgement, also where the answer was text', async () => {
    const model = scriptedModel([calls('__schema__', { city: 'Oslo' }), '{"city":"Oslo"}']);
    const ids = { next: (prefix: string) => `${prefix}-1` };
    const sampling = () => model.sample({ messages: [user('Where?')], schema: city });
    const [called, told] = await run(() =>
      IdsContext.with(ids, function* () {
        return [yield* sampling(), yield* sampling()] as const;
      }),
    );
    const exchangeWith = (id: string) => [
      user('Where?'),
      { role: 'assistant', content: [{ type: 'tool_use', id, name: '__schema__', input: { city: 'Oslo' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', toolUseId: id, content: [{ type: 'text', text: 'Received.' }] }],
      },
    ];
    expect(called.exchange.messages).toEqual(exchangeWith('id-__schema__'));
    expect(told.exchange.messages).toEqual(exchangeWith('toolu-1'));
  });

  it('wraps what is no object, for the input of a tool is one', async () => {
    const model = scriptedModel([calls('__schema__', { value: ['a'] }), '["b"]', '{"value": ["c"]}']);
    const schema = z.array(z.string());
    const parsed = await run(function* () {
      const results = [];
      for (let i = 0; i < 3; i++)
        results.push((yield* model.sampleSchema({ messages: [user('x')], schema })).parsed);
      return results;
    });
    expect(parsed).toEqual([['a'], ['b'], ['c']]);
    expect(model.requests[0]?.tools?.[0]?.inputSchema).toEqual({
      type: 'object',
      properties: { value: { type: 'array', items: { type: 'string' } } },
      required: ['value'],
    });
  });

  it('takes zod 3', async () => {
    const model = scriptedModel([calls('__schema__', { n: 2 })]);
    const result = await run(() =>
      model.sampleSchema({ prompt: 'x', schema: z3.object({ n: z3.number() }) }),
    );
    expect(result.parsed.n).toBe(2);
    expect(model.requests[0]?.tools?.[0]?.inputSchema).toMatchObject({
      properties: { n: { type: 'number' } },
    });
  });
});

describe('sample with a schema and a client that has no tools', () => {
  it('asks for JSON in so many words, in the last message', async () => {
    const model = scriptedModel(['{"city":"Oslo"}'], naive);
    const result = await run(() => model.sample({ prompt: 'Where?', schema: city }));
    expect(result.parsed).toEqual({ city: 'Oslo', people: 0 });
    expect(result.exchange.parsed).toEqual(result.parsed);
    expect(model.requests[0]).not.toHaveProperty('tools');
    expect(model.requests[0]).not.toHaveProperty('toolChoice');
    const [message] = model.requests[0]?.messages ?? [];
    expect(message?.content).toMatchObject({
      type: 'text',
      text: expect.stringMatching(/^Where\?\n\n.*JSON/),
    });
    expect(message?.content).toMatchObject({ text: expect.stringContaining('"required":["city"]') });
    expect(model.history[0]).toEqual(user('Where?'));
  });

  it('tells earlier tool calls as text, which it can read', async () => {
    const model = scriptedModel(['{"city":"Oslo"}', 'ok'], naive);
    await run(function* () {
      const { exchange } = yield* model.sampleSchema({ messages: [user('Where?')], schema: city });
      yield* model.sample({ messages: [...exchange.messages, user('Sure?')] });
    });
    expect(model.requests[1]?.messages).toEqual([
      user('Where?'),
      { role: 'assistant', content: { type: 'text', text: '{"city":"Oslo"}' } },
      user('Received.'),
      user('Sure?'),
    ]);
  });
});

describe('sampleSchema', () => {
  it('asks again, quoting what was wrong, until the answer fits', async () => {
    const model = scriptedModel([
      calls('__schema__', { city: 1 }),
      'Oslo?',
      calls('__schema__', { city: 'Oslo' }),
    ]);
    const result = await run(() => model.sampleSchema({ prompt: 'Where?', schema: city, key: 'where' }));
    expectTypeOf(result.parsed).toEqualTypeOf<{ city: string; people: number }>();
    expectTypeOf(result.exchange.parsed).toEqualTypeOf<{ city: string; people: number }>();
    expect(result.parsed.city).toBe('Oslo');
    expect(model.keys).toEqual(['where', 'where', 'where']);

    const [, second, third] = model.requests;
    expect(second?.messages).toMatchObject([
      user('Where?'),
      { role: 'assistant', content: { type: 'tool_use', id: 'id-__schema__' } },
      {
        role: 'user',
        content: [
          {
            type: 'tool_result',
            toolUseId: 'id-__schema__',
            isError: true,
            content: [{ text: expect.stringContaining('city: must be text, not a number') }],
          },
        ],
      },
    ]);
    // Also to a model that has its tool: not every one reads that.
    expect(JSON.stringify(second?.messages)).toMatch(/Its JSON schema is .*"city/);
    expect(third?.messages).toMatchObject([
      user('Where?'),
      { role: 'assistant', content: { type: 'tool_use' } },
      { role: 'user', content: [{ content: [{ text: expect.stringContaining('city: must be text') }] }] },
      { role: 'assistant', content: { text: 'Oslo?' } },
      { role: 'user', content: { text: expect.stringContaining('the answer holds no JSON') } },
    ]);
    expect(JSON.stringify(third?.messages).match(/Its JSON schema is/g)).toHaveLength(1);
  });

  it('remembers and exchanges the question and the answer that fits, not the way there', async () => {
    const model = scriptedModel(['nonsense', calls('__schema__', { city: 'Oslo' })]);
    const { exchange } = await run(() => model.sampleSchema({ prompt: 'Where?', schema: city }));
    expect(exchange.messages).toHaveLength(3);
    expect(exchange.request).toEqual(user('Where?'));
    expect(model.history).toEqual([
      user('Where?'),
      { role: 'assistant', content: { type: 'text', text: '{"city":"Oslo"}' } },
    ]);
  });

  it('gives up after three attempts, with the last answer as it came', async () => {
    const model = scriptedModel(['no', 'no', calls('__schema__', { city: 3 }), 'never asked']);
    const failing = run(() => model.sampleSchema({ prompt: 'Where?', schema: city }));
    await expect(failing).rejects.toMatchObject({
      code: 'SAMPLE_VALIDATION',
      attempts: 3,
      problem: expect.stringContaining('city'),
      lastAnswer: { content: { type: 'tool_use', input: { city: 3 } } },
    });
    expect(model.requests).toHaveLength(3);
    expect(model.history).toEqual([]);
  });

  it('makes as many attempts as it is told to, quoting the last five wrong answers', async () => {
    const many = scriptedModel(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    await expect(
      run(() => many.sampleSchema({ prompt: 'x', schema: city, retries: 10 })),
    ).rejects.toMatchObject({
      attempts: 11,
    });
    const quoted = ['5', '6', '7', '8', '9'];
    expect(many.requests.at(-1)?.messages).toMatchObject([
      user('x'),
      ...quoted.flatMap((text) => [{ role: 'assistant', content: { text } }, { role: 'user' }]),
    ]);
    const once = scriptedModel(['no']);
    await expect(
      run(() => once.sampleSchema({ prompt: 'x', schema: city, retries: 0 })),
    ).rejects.toMatchObject({
      attempts: 1,
      message: expect.stringContaining('in one attempt'),
    });
  });

  it('passes on what the client throws, without asking again', async () => {
    const model = scriptedModel([]);
    await expect(run(() => model.sampleSchema({ prompt: 'x', schema: city }))).rejects.toThrow(
      'no answer is scripted',
    );
    expect(model.requests).toHaveLength(1);
  });
});
