import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMcpTool } from 'parley-mcp';
import { compose, createModelClient, type ModelOptions } from 'parley-mcp/server';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { inRings } from '#test/rings.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { type InProcess, startServer } from './kit/in-process.ts';
import { cli, type Served, serveHttp } from './kit/parley-serve.ts';
import {
  type Asked,
  completion,
  type Reply,
  type ScriptedModel,
  scriptedModel,
} from './kit/scripted-model.ts';
import { envelope, openSession, type Session2025, stateless } from './kit/wire.ts';

const plain = createMcpTool('joke')
  .description('Tells a joke.')
  .parameters(z.object({ about: z.string() }))
  .requires({ sampling: { tools: true } })
  .elicits({})
  .execute(function* ({ about }, ctx) {
    const { text, stopReason, model } = yield* ctx.sample({
      prompt: `A joke about ${about}`,
      systemPrompt: 'Be brief.',
      maxTokens: 100,
      temperature: 0.5,
      stopSequences: ['END'],
    });
    return { text, stopReason, model };
  });

const typed = createMcpTool('typed')
  .description('Gets data.')
  .parameters(z.object({}))
  .requires({ sampling: { tools: true } })
  .elicits({})
  .execute(function* (_, ctx) {
    const { parsed } = yield* ctx.sampleSchema({
      prompt: 'A city',
      schema: z.object({ city: z.string() }),
    });
    return parsed;
  });

const looking = createMcpTool('looking')
  .description('Shows the model a picture, and a result of a tool.')
  .parameters(z.object({}))
  .requires({ sampling: { tools: true } })
  .elicits({})
  .execute(function* (_, ctx) {
    const { text } = yield* ctx.sample({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image', data: 'aGk=', mimeType: 'image/png' },
            { type: 'audio', data: 'aGk=', mimeType: 'audio/mpeg' },
          ],
        },
        { role: 'assistant', content: { type: 'tool_use', id: 'u1', name: 'zoom', input: { by: 2 } } },
        {
          role: 'user',
          content: { type: 'tool_result', toolUseId: 'u1', content: [{ type: 'text', text: 'a cat' }] },
        },
      ],
    });
    return text;
  });

const refusesFormat = { status: 400, text: '{"error":{"message":"unknown","param":"response_format"}}' };

/** A call of the one tool that there is. */
function byTool(body: Asked['body'], args: unknown) {
  const called = {
    id: 't',
    type: 'function',
    function: { name: body.tools[0].function.name, arguments: args },
  };
  return completion({ content: null, tool_calls: [called] }, 'tool_calls');
}

async function model(answer: Parameters<typeof scriptedModel>[0]): Promise<ScriptedModel> {
  const made = await scriptedModel(answer);
  onTestFinished(made.close);
  return made;
}

async function serving(
  answer: Parameters<typeof scriptedModel>[0],
  options: Partial<ModelOptions> = {},
  tokens?: Parameters<typeof startServer>[1],
): Promise<{ asked: ScriptedModel['asked']; running: InProcess }> {
  const { url, asked } = await model(answer);
  const own = createModelClient({ url, name: 'small', key: 'secret-key', ...options });
  const tools = [plain, typed, looking];
  const running = await startServer({ tools, client: (wire) => compose(wire, own) }, tokens);
  onTestFinished(running.close);
  return { asked, running };
}

/** Calls a tool as a client without a model. */
async function call(
  session: Session2025,
  name: string,
  args: object = {},
): Promise<{ isError?: boolean; content: [{ text: string }]; structuredContent?: unknown }> {
  const reply = await session.request(1, 'tools/call', { name, arguments: args });
  return (await reply.rest()).at(-1)?.result;
}

describe("a server's own model", () => {
  it('answers for a client of 2025 that has none, with what the tool asked for', async () => {
    const { asked, running } = await serving(() => completion({ content: 'Ha.' }, 'length'));
    const said = await call(await openSession(running.url, {}), 'joke', { about: 'cats' });
    expect(JSON.parse(said.content[0].text)).toEqual({
      text: 'Ha.',
      stopReason: 'maxTokens',
      model: 'scripted-1',
    });
    expect(asked).toMatchObject([
      {
        path: '/v1/chat/completions',
        headers: { authorization: 'Bearer secret-key' },
        body: {
          model: 'small',
          messages: [
            { role: 'system', content: 'Be brief.' },
            { role: 'user', content: 'A joke about cats' },
          ],
          max_tokens: 100,
          temperature: 0.5,
          stop: ['END'],
        },
      },
    ]);
  });

  it('answers for a client of 2026, which is not asked', async () => {
    const { running } = await serving(() => completion({ content: 'Ha.' }));
    const params = { name: 'joke', arguments: { about: 'cats' }, _meta: envelope({}) };
    const reply = await stateless(running.url, 'tools/call', params);
    expect((await reply.rest()).at(-1)?.result).toMatchObject({ resultType: 'complete' });
  });

  it('leaves samplings to a client that has a model', async () => {
    const { asked, running } = await serving(() => completion({ content: 'Ha.' }));
    const session = await openSession(running.url, { sampling: { tools: {} } });
    const reply = await session.request(1, 'tools/call', { name: 'joke', arguments: { about: 'cats' } });
    const { id, method } = await reply.until((message) => message.method !== undefined);
    expect(method).toBe('sampling/createMessage');
    await session.answer(id ?? 0, {
      role: 'assistant',
      content: { type: 'text', text: 'Its own.' },
      model: 'm',
    });
    expect(JSON.stringify((await reply.rest()).at(-1))).toContain('Its own.');
    expect(asked).toEqual([]);
  });

  it('gives data in the way of its server, as a call of the reserved tool', async () => {
    const { asked, running } = await serving(() =>
      completion({ content: '<think>{"city":1}</think>{"city":"Faro"}' }),
    );
    const session = await openSession(running.url, {});
    for (const requests of [1, 2]) {
      expect((await call(session, 'typed')).content[0].text).toContain('Faro');
      expect(asked).toHaveLength(requests);
      expect(asked.at(-1)?.body).toEqual({
        model: 'small',
        messages: [{ role: 'user', content: 'A city' }],
        max_tokens: expect.any(Number),
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: expect.objectContaining({ required: ['city'] }) },
        },
      });
    }
  });

  it.each([
    [
      'refuses',
      { status: 400, text: '{"error":{"message":"This response_format type is unavailable now"}}' },
    ],
    ['does not read', completion({ content: 'A city? Lisbon is one.' })],
  ])(
    'is asked for data by a tool where its server %s another way, and from then on at once',
    async (_, reply) => {
      const { asked, running } = await serving(({ body }) =>
        body.tools ? byTool(body, '{"city":"Lisbon"}') : reply,
      );
      const session = await openSession(running.url, {});
      for (const requests of [2, 3]) {
        expect((await call(session, 'typed')).content[0].text).toContain('Lisbon');
        expect(asked).toHaveLength(requests);
        expect(asked.at(-1)?.body).toMatchObject({ tool_choice: 'required' });
      }
    },
  );

  it('gives data, by a call of a tool, and is asked again when it does not fit', async () => {
    let answers = 0;
    const { asked, running } = await serving(({ body }) => {
      if (!body.tools) return refusesFormat;
      answers += 1;
      return byTool(body, answers === 1 ? '{"town":1' : '{"city":"Lisbon"}');
    });
    const said = await call(await openSession(running.url, {}), 'typed');
    expect(said.content[0].text).toContain('Lisbon');
    expect(asked).toHaveLength(3);
    expect(asked[1]?.body).toMatchObject({
      tools: [{ type: 'function', function: { parameters: { required: ['city'] } } }],
      tool_choice: 'required',
    });
    expect(asked[2]?.body.messages.at(-1)).toMatchObject({ role: expect.stringMatching(/tool|user/) });
  });

  it('gives data where its server passes the arguments on as an object', async () => {
    const { running } = await serving(({ body }) =>
      body.tools ? byTool(body, { city: 'Porto' }) : refusesFormat,
    );
    const said = await call(await openSession(running.url, {}), 'typed');
    expect(said.content[0].text).toContain('Porto');
  });

  it('is shown pictures and sound, calls and results of tools', async () => {
    const { asked, running } = await serving(() => completion({ content: 'A cat.' }));
    expect((await call(await openSession(running.url, {}), 'looking')).content[0].text).toBe('A cat.');
    expect(asked[0]?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
          { type: 'input_audio', input_audio: { data: 'aGk=', format: 'mp3' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'u1', type: 'function', function: { name: 'zoom', arguments: '{"by":2}' } }],
      },
      { role: 'tool', tool_call_id: 'u1', content: 'a cat' },
    ]);
  });

  it.each<[string, Reply | undefined, RegExp]>([
    [
      'out of quota',
      { status: 429, text: '{"error":{"message":"slow down"}}' },
      /quota is used up.*slow down/,
    ],
    [
      'without the right key',
      { status: 401, text: '{"error":{"message":"secret-key"}}' },
      /Check PARLEY_MODEL_KEY/,
    ],
    ['broken', { status: 500, text: '<html>' }, /answered with 500/],
    ['no model', { status: 200, text: '<html>' }, /not JSON/],
    ['of another kind', { nothing: true }, /not a chat completion/],
    ['elsewhere', { status: 307, headers: { location: 'http://127.0.0.1:9/' } }, /cannot be reached/],
    ['unwilling', completion({ content: null, refusal: 'I will not.' }), /refused: I will not/],
    ['filtered', completion({ content: '' }, 'content_filter'), /filtered/],
    ['too slow', undefined, /did not answer within/],
  ])('that is %s says so to the tool', async (_, reply, words) => {
    const { running } = await serving(() => reply, { timeout: 300 });
    const said = await call(await openSession(running.url, {}), 'joke', { about: 'cats' });
    expect(said.isError).toBe(true);
    expect(said.content[0].text).toMatch(words);
    expect(said.content[0].text).not.toContain('secret-key');
  });

  it('is asked again without what it refuses, and from then on at once', async () => {
    const says: Record<string, string> = {
      max_tokens:
        '{"error":{"message":"Unsupported parameter: \'max_tokens\' is not supported with this model. Use \'max_completion_tokens\' instead.","param":"max_tokens","code":"unsupported_parameter"}}',
      temperature:
        '{"error":{"message":"Unsupported value: \'temperature\' does not support 0.5 with this model."}}',
      stop: '{"detail":[{"loc":["body","stop"],"msg":"Extra inputs are not permitted"}]}',
    };
    const { asked, running } = await serving(({ body }) => {
      const refused = Object.keys(says).find((part) => part in body);
      return refused ? { status: 400, text: says[refused] ?? '' } : completion({ content: 'Ha. END more' });
    });
    const session = await openSession(running.url, {});
    for (const requests of [4, 5]) {
      const said = await call(session, 'joke', { about: 'cats' });
      expect(JSON.parse(said.content[0].text)).toMatchObject({ text: 'Ha. ', stopReason: 'stopSequence' });
      expect(asked).toHaveLength(requests);
      expect(asked.at(-1)?.body).toEqual({
        model: 'small',
        messages: expect.any(Array),
        max_completion_tokens: 100,
      });
    }
  });

  it.each([
    [
      400,
      '{"error":{"message":"max_tokens is too large: 100. At most 50.","param":"max_tokens","code":"invalid_value"}}',
    ],
    [400, '{"error":{"message":"This model does not support tools."}}'],
    [500, '{"error":{"message":"unsupported: temperature"}}'],
  ])('is asked once where it refuses something else (%i)', async (status, text) => {
    const { asked, running } = await serving(() => ({ status, text }));
    expect((await call(await openSession(running.url, {}), 'joke', { about: 'x' })).isError).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('is bounded for each principal by itself, in calls and in tokens', async () => {
    const tokens = ['a', 'b'].map((token) => ({ token, principal: { name: token } }));
    const usage = { prompt_tokens: 10, completion_tokens: 20 };
    const { asked, running } = await serving(
      () => completion({ content: 'Ha.' }, 'stop', usage),
      { limits: { calls: 3, tokens: 1_000 } },
      { tokens },
    );
    const as = (token: string) => openSession(running.url, {}, { authorization: `Bearer ${token}` });
    const [first, second] = [await as('a'), await as('b')];
    const jokes = async (session: Session2025) =>
      (await call(session, 'joke', { about: 'cats' })).isError === true;
    expect([await jokes(first), await jokes(first), await jokes(first), await jokes(first)]).toEqual([
      false,
      false,
      false,
      true,
    ]);
    expect(await jokes(second)).toBe(false);
    expect(asked).toHaveLength(4);
    // What a sampling may cost counts before it is made: these would be too much together.
    const wide = await serving(() => completion({ content: 'Ha.' }, 'stop', usage), {
      limits: { tokens: 150 },
    });
    const session = await openSession(wide.running.url, {});
    const said = await Promise.all(
      [1, 2].map((id) => session.request(id, 'tools/call', { name: 'joke', arguments: { about: 'x' } })),
    );
    const results = await Promise.all(said.map(async (reply) => (await reply.rest()).at(-1)?.result));
    expect(results.filter(({ isError }) => isError)).toHaveLength(1);
    expect(JSON.stringify(results)).toContain('The limit of 150 tokens per hour');
  });

  it('takes no key over an address where it would travel in the open', () => {
    const made = (url: string, key?: string) => () =>
      createModelClient({ url, name: 'm', ...(key ? { key } : {}) });
    expect(made('http://models.example/v1', 'k')).toThrow(/needs https/);
    expect(made('ftp://models.example')).toThrow(/begins with https/);
    expect(made('http://models.example/v1')).not.toThrow();
    expect(made('http://127.0.0.1:1/v1', 'k')).not.toThrow();
  });
});

const nosy = `
import { execFileSync } from 'node:child_process';
import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
const atLoad = process.env.PARLEY_MODEL_KEY ?? 'none';
export const nosy = createMcpTool('nosy').description('Looks for the key').parameters(z.object({})).elicits({})
  .execute(function* (_, ctx) {
    const { text } = yield* ctx.sample({ prompt: 'hi' });
    const child = execFileSync(process.execPath, ['-p', 'process.env.PARLEY_MODEL_KEY ?? "none"']).toString().trim();
    return [text, atLoad, process.env.PARLEY_MODEL_KEY ?? 'none', child].join(' ');
  });
`;

describe('parley serve --model', () => {
  let folder: string;
  const flags = (url: string) => ['--model', url, '--model-name', 'small'];

  async function module(): Promise<string> {
    folder = tempFolder();
    const path = join(folder, 'nosy.ts');
    await writeFile(path, nosy);
    return path;
  }

  it.each(inRings(['worker'], ['host']))(
    'has a model, whose key no tool in a %s finds in the environment',
    async (isolation) => {
      const { url, asked } = await model(() => completion({ content: 'Ha.' }));
      process.env.PARLEY_MODEL_KEY = 'secret-key';
      let served: Served;
      try {
        served = await serveHttp([await module()], ...flags(url), '--isolation', isolation);
      } finally {
        delete process.env.PARLEY_MODEL_KEY;
      }
      onTestFinished(async () => void (await served.stop('SIGKILL')));
      const session = await openSession(served.url, {}, { authorization: `Bearer ${served.token}` });
      expect((await call(session, 'nosy')).content[0].text).toBe('Ha. none none none');
      expect(asked[0]?.headers.authorization).toBe('Bearer secret-key');
    },
  );

  it.each([
    [
      ['--http', '--no-token', '--model', 'https://x.example', '--model-name', 'm'],
      '--model and --no-token cannot',
    ],
    [['--model', 'https://x.example'], '--model URL needs --model-name NAME'],
    [['--model-name', 'm'], '--model-name, --model-calls and --model-tokens need --model URL'],
    [
      ['--model', 'https://x.example', '--model-name', 'm', '--model-calls', '0'],
      '--model-calls is a whole number',
    ],
    [['--model', 'nonsense', '--model-name', 'm'], 'the address of a model begins with https://'],
  ])('refuses %j', async (args, words) => {
    const path = await module();
    const { code, stderr } = await new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, [cli, 'serve', ...args, path], (_error, _stdout, text) =>
        resolve({ code: child.exitCode, stderr: text }),
      );
    });
    expect(code).toBe(2);
    expect(stderr).toContain(words);
  });
});
