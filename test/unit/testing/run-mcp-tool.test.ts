import { run } from 'effection';
import { callContext, createMcpTool, makePlugin, SamplingRefusedError } from 'parley-mcp';
import {
  createMockMcpClient,
  MissingResponseError,
  type MockCapabilities,
  recordMcpTool,
  runMcpTool,
} from 'parley-mcp/testing';
import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';

const greet = createMcpTool('greet')
  .description('Greets the user by name.')
  .parameters(z.object({ greeting: z.string().default('Hello'), loud: z.boolean().optional() }))
  .elicits({ who: z.object({ name: z.string().min(2) }) })
  .execute(function* ({ greeting }, ctx) {
    yield* ctx.log('info', 'asking', { greeting });
    const answer = yield* ctx.elicit('who', { message: 'What is your name?', hint: 'first name' });
    yield* ctx.notify('answered', 0.5);
    if (answer.action !== 'accept') return { text: answer.action };
    const { text } = yield* ctx.sample({ prompt: `A nickname for ${answer.content.name}?` });
    return { text: `${greeting}, ${text}` };
  });

describe('runMcpTool', () => {
  it('gives what the tool returns, typed', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { name: 'Ada' } }],
      sampleResponses: ['Countess'],
    });
    const result = await runMcpTool(greet, { greeting: 'Hi' }, client);
    expectTypeOf(result).toEqualTypeOf<{ text: string }>();
    expect(result).toEqual({ text: 'Hi, Countess' });
  });

  it.each([
    ['a plugin', makePlugin(greet).onElicit({ who: 'form' })],
    ['a tool', createMcpTool('unended').description('Ends in nothing.').parameters(z.object({}))],
    ['nothing', undefined],
  ])('says what to write for %s that was not built', async (_what, unbuilt) => {
    const problem = expect.objectContaining({
      code: 'TOOL_DEFINITION',
      message: expect.stringMatching(/makePlugin\(…\) with \.build\(\)$/),
    });
    await expect(runMcpTool(unbuilt as never, {} as never)).rejects.toEqual(problem);
    await expect(recordMcpTool(unbuilt as never, {} as never)).rejects.toEqual(problem);
  });

  it('writes down everything the tool said, in order, with the full requests', async () => {
    const client = createMockMcpClient({
      elicitResponses: { who: { action: 'accept', content: { name: 'Ada' } } },
      sampleResponses: ['Countess'],
    });
    await runMcpTool(greet, {}, client);
    expect(client.transcript).toMatchObject([
      { type: 'log', level: 'info', message: 'asking', data: { greeting: 'Hello' } },
      {
        type: 'elicit',
        key: 'who',
        request: {
          message: 'What is your name?',
          requestedSchema: { type: 'object', properties: { name: { type: 'string', minLength: 2 } } },
          context: { hint: 'first name' },
        },
        attempt: 1,
        response: { action: 'accept', content: { name: 'Ada' } },
      },
      { type: 'notify', message: 'answered', value: 0.5, total: 1 },
      {
        type: 'sample',
        request: { messages: [{ role: 'user', content: { type: 'text', text: 'A nickname for Ada?' } }] },
        response: { content: { type: 'text', text: 'Countess' } },
      },
    ]);
    expect(client.transcript).toHaveLength(4);
  });

  it('answers by function, which may be asynchronous', async () => {
    const client = createMockMcpClient({
      elicitResponses: async ({ key, attempt }) => ({
        action: 'accept',
        content: { name: `${key}${attempt}` },
      }),
      sampleResponses: async ({ messages }) => `about ${messages.length}`,
    });
    expect(await runMcpTool(greet, {}, client)).toEqual({ text: 'Hello, about 1' });
  });

  it('shows the tool’s re-asking, and gives up after three wrong answers', async () => {
    const wrong = { action: 'accept', content: { name: 'A' } } as const;
    const client = createMockMcpClient({ elicitResponses: { who: wrong } });
    await expect(runMcpTool(greet, {}, client)).rejects.toMatchObject({
      code: 'ELICITATION_INVALID',
      details: { attempts: 3 },
    });
    const asked = client.transcript.filter((entry) => entry.type === 'elicit');
    expect(asked.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(asked[1]?.problem).toContain('name');
  });

  it('says which answer the script lacks', async () => {
    const client = createMockMcpClient({
      elicitResponses: { who: [{ action: 'accept', content: { name: 'Ada' } }] },
    });
    await expect(runMcpTool(greet, {}, client)).rejects.toThrow(
      "the tool 'greet' sampled (“A nickname for Ada?”), and sampleResponses has no answer number 1 (there are none): add one",
    );
    const silent = createMockMcpClient({ elicitResponses: { other: { action: 'decline' } } });
    await expect(runMcpTool(greet, {}, silent)).rejects.toThrow(
      "the tool 'greet' asked 'who' (“What is your name?”), and elicitResponses['who'] has no answer number 1",
    );
  });

  it('fails for a missing answer also when the tool catches it', async () => {
    const careless = createMcpTool('careless')
      .description('Catches everything.')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_, ctx) {
        try {
          return (yield* ctx.sample({ prompt: 'x' })).text;
        } catch {
          return 'nothing';
        }
      });
    await expect(runMcpTool(careless, {})).rejects.toBeInstanceOf(MissingResponseError);
  });

  it('throws scripted errors at the tool', async () => {
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { name: 'Ada' } }],
      sampleResponses: [new SamplingRefusedError()],
    });
    await expect(runMcpTool(greet, {}, client)).rejects.toMatchObject({ code: 'SAMPLING_REFUSED' });
  });

  it('refuses parameters and missing capabilities before any of the tool’s code', async () => {
    let ran = false;
    const needy = createMcpTool('needy')
      .description('Needs a person.')
      .parameters(z.object({ n: z.int() }))
      .requires({ elicitation: true })
      .elicits({})
      .execute(function* () {
        ran = true;
        return 1;
      });
    // @ts-expect-error n is a number
    await expect(runMcpTool(needy, { n: 'x' })).rejects.toMatchObject({ code: 'PARAMS_INVALID' });
    const mute = createMockMcpClient({ capabilities: { sampling: { tools: false } } });
    await expect(runMcpTool(needy, { n: 1 }, mute)).rejects.toMatchObject({
      code: 'CAPABILITY',
      details: { capability: 'elicitation' },
    });
    expect(ran).toBe(false);
  });

  it('plays a client that declares itself as on the wire: no mode means forms, no word of tools means none', async () => {
    const code = createMcpTool('look')
      .description('Says what can be done.')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* (_params, { capabilities }) {
        return capabilities;
      });
    const played = (capabilities: MockCapabilities) =>
      runMcpTool(code, {}, createMockMcpClient({ capabilities }));
    expect(await played({ elicitation: {}, sampling: {} })).toEqual({
      elicitation: { form: true },
      sampling: { tools: false },
    });
    expect(await played({ elicitation: { url: true }, sampling: { tools: true } })).toEqual({
      elicitation: { url: true },
      sampling: { tools: true },
    });
  });

  it('runs a plugin with its sampling steps', async () => {
    const plugin = makePlugin(greet)
      .onElicit({ who: 'form' })
      .sampling({
        *after(result) {
          return { ...result, content: { type: 'text', text: 'Lady' } };
        },
      })
      .build();
    const client = createMockMcpClient({
      elicitResponses: [{ action: 'accept', content: { name: 'Ada' } }],
      sampleResponses: ['Countess'],
    });
    expect(await runMcpTool(plugin, {}, client)).toEqual({ text: 'Hello, Lady' });
  });

  it('shares the contexts of the operation that yields it', async () => {
    const Place = callContext<string>('test.place', 'nowhere');
    const where = createMcpTool('where')
      .description('Says where it is.')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        return yield* Place.expect();
      });
    const place = await run(function* () {
      yield* Place.set('Lisbon');
      return yield* runMcpTool(where, {});
    });
    expect(place).toBe('Lisbon');
    expect(await runMcpTool(where, {})).toBe('nowhere');
  });
});
