import { sleep } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type InProcess, startServer } from '../../mcp/kit/in-process.ts';
import { envelope, type Message, openSession, type Reply, stateless } from '../../mcp/kit/wire.ts';

let running: InProcess | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const nothing = z.object({});

const defaulted = createMcpTool('defaulted')
  .description('Asks with a default in each field')
  .parameters(nothing)
  .elicits({ sure: z.object({ seats: z.int().default(2), really: z.boolean().default(true) }) })
  .execute(function* (_, ctx) {
    const answer = yield* ctx.elicit('sure', { message: 'Delete everything?' });
    return answer.action === 'accept' ? answer.content : answer.action;
  });

const sampling = createMcpTool('sampling')
  .description('Asks the model')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_, ctx) {
    return (yield* ctx.sample({ prompt: 'A tip?', maxTokens: 5 })).text;
  });

const picking = createMcpTool('picking')
  .description('Asks with a context')
  .parameters(nothing)
  .elicits({ pick: z.object({ row: z.int() }) })
  .execute(function* (_, ctx) {
    return (yield* ctx.elicit('pick', { message: 'Which?', rows: [1, 2] })).action;
  });

const visiting = createMcpTool('visiting')
  .description('Sends the person to a page')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_, ctx) {
    const page = yield* ctx.elicit({ mode: 'url', message: 'Log in.', url: 'https://example.com/in' });
    return page.action;
  });

const working = createMcpTool('working')
  .description('Works for a while, and says little')
  .parameters(nothing)
  .elicits({})
  .execute(function* (_, ctx) {
    yield* sleep(100);
    yield* ctx.notify('copying', 0.5);
    yield* sleep(100);
    yield* ctx.notify('copied', 1);
  });

/** A call that is asked one thing after the other, whichever era it is in: what it is asked with, and what came of it. */
interface OddClient {
  readonly asked: Message[];
  readonly told: Message['params'][];
  result(): Promise<Message['result']>;
}

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
const meta = { progressToken: 'p' };

async function call2025(
  url: URL,
  name: string,
  answers: readonly unknown[],
  client = 'wire',
): Promise<OddClient> {
  const session = await openSession(url, capabilities, {}, undefined, client);
  const reply = await session.request(1, 'tools/call', { name, arguments: {}, _meta: meta });
  const asked: Message[] = [];
  const told: Message['params'][] = [];
  const left = [...answers];
  return {
    asked,
    told,
    async result() {
      for (;;) {
        const message = await reply.until(() => true);
        if (message.result || message.error) return message.result ?? message.error;
        if (message.method === 'notifications/progress') told.push(message.params);
        if (message.id === undefined) continue;
        asked.push(message);
        await session.answer(message.id ?? '', left.shift() ?? { action: 'cancel' });
      }
    },
  };
}

async function call2026(
  url: URL,
  name: string,
  answers: readonly unknown[],
  client = 'wire',
): Promise<OddClient> {
  const asked: Message[] = [];
  const told: Message['params'][] = [];
  const clientInfo = { name: client, version: '1.0.0' };
  const _meta = { ...envelope(capabilities, { 'io.modelcontextprotocol/clientInfo': clientInfo }), ...meta };
  const left = [...answers];
  const answered = async (reply: Reply) => {
    const messages = await reply.rest();
    told.push(
      ...messages.filter(({ method }) => method === 'notifications/progress').map(({ params }) => params),
    );
    return messages.at(-1);
  };
  return {
    asked,
    told,
    async result() {
      let more = {};
      for (;;) {
        const last = await answered(
          await stateless(url, 'tools/call', { name, arguments: {}, _meta, ...more }),
        );
        if (last?.result?.resultType !== 'input_required') return last?.result ?? last?.error;
        const { inputRequests, requestState } = last.result;
        const [[key, question]] = Object.entries(inputRequests) as [[string, Message]];
        asked.push(question);
        more = { requestState, inputResponses: { [key]: left.shift() ?? { action: 'cancel' } } };
      }
    },
  };
}

async function start(): Promise<URL> {
  running = await startServer({ tools: [defaulted, sampling, picking, visiting, working], heartbeat: 20 });
  return running.url;
}

const accept = (content?: object) => ({ action: 'accept', ...(content && { content }) });
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

describe.each([
  ['2025', call2025],
  ['2026', call2026],
] as const)('a client of %s', (_era, call) => {
  it.each([[{}], [undefined]])(
    'that accepts a form with %j, which begins with an answer, is asked again and told why',
    async (content) => {
      const client = await call(await start(), 'defaulted', [accept(content), accept({ seats: 1 })]);
      expect(await client.result()).toMatchObject(text('{"seats":1,"really":true}'));
      expect(client.asked[1]?.params.message).toMatch(
        /^none of the fields was answered[\s\S]*Delete everything\?$/,
      );
    },
  );

  it.each([
    [{ role: 'user', stopReason: 'cancelled' }],
    [{ role: 'user' }],
    [{ role: 'assistant', stopReason: 'cancelled' }],
  ])('that answers a sampling with %j has refused it', async (said) => {
    const answer = { model: '', content: { type: 'text', text: 'The user cancelled the request.' }, ...said };
    const client = await call(await start(), 'sampling', [answer]);
    const result = await client.result();
    expect(result).toMatchObject({ isError: true });
    expect(result.content[0].text).toMatch(/the client refused/);
    expect(client.asked).toHaveLength(1);
  });

  it.each(['claude-code', 'codex-mcp-client', 'copilot-cli'])(
    'that shows messages as they are (%s) gets no JSON in them',
    async (name) => {
      const client = await call(await start(), 'picking', [], name);
      await client.result();
      expect(client.asked[0]?.params).toMatchObject({
        mode: 'form',
        message: 'Which?',
        _meta: { 'x-model-context': { rows: [1, 2] } },
      });
    },
  );

  it('that may be any gets short context in the message, too', async () => {
    const client = await call(await start(), 'picking', []);
    await client.result();
    expect(client.asked[0]?.params.message).toBe(
      'Which?\n\n--x-model-context: application/json\n{"rows":[1,2]}',
    );
  });

  it('is sent to a page with an id', async () => {
    const client = await call(await start(), 'visiting', [accept()]);
    expect(await client.result()).toMatchObject(text('accept'));
    expect(client.asked[0]?.params).toMatchObject({ mode: 'url', elicitationId: expect.any(String) });
  });

  it('hears that a silent call lives, beside what the tool says of itself', async () => {
    const client = await call(await start(), 'working', []);
    await client.result();
    const numbers = client.told.map(({ progress }) => progress);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const at = numbers.indexOf(0.5);
    expect(at).toBeGreaterThan(0);
    expect(numbers.indexOf(1)).toBeGreaterThan(at + 1);
    expect(client.told.slice(at, numbers.indexOf(1)).every(({ message }) => message === 'copying')).toBe(
      true,
    );
  });
});
