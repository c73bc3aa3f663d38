import { sleep } from 'effection';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startServer } from '../../mcp/kit/in-process.ts';
import { envelope, type Message, openSession, stateless } from '../../mcp/kit/wire.ts';
import { type Ctx, tool } from '../runtime/session-kit.ts';

/** What a client was asked and told on the wire, and what came of its call. */
interface Called {
  readonly asked: Message['params'][];
  readonly told: Message['params'][];
  readonly result: Message['result'];
}

type Call = (
  code: Parameters<typeof tool>[0],
  answers?: readonly unknown[],
  name?: string,
) => Promise<Called>;

const capabilities = { elicitation: { form: {}, url: {} }, sampling: {} };
const params = { name: 'probe', arguments: {} };
const cancel = { action: 'cancel' };
const isProgress = ({ method }: Message) => method === 'notifications/progress';

async function start(code: Parameters<typeof tool>[0]): Promise<URL> {
  const running = await startServer({ tools: [tool(code)], heartbeat: 20 });
  return running.url;
}

const call2025: Call = async (code, answers = [], name = 'wire') => {
  const session = await openSession(await start(code), capabilities, {}, undefined, name);
  const reply = await session.request(1, 'tools/call', { ...params, _meta: { progressToken: 'p' } });
  const asked: Message['params'][] = [];
  const told: Message['params'][] = [];
  for (;;) {
    const message = await reply.until(() => true);
    if (message.result) return { asked, told, result: message.result };
    if (isProgress(message)) told.push(message.params);
    if (message.id === undefined) continue;
    await session.answer(message.id ?? '', answers[asked.length] ?? cancel);
    asked.push(message.params);
  }
};

const call2026: Call = async (code, answers = [], name = 'wire') => {
  const url = await start(code);
  const client = { 'io.modelcontextprotocol/clientInfo': { name, version: '1.0.0' } };
  const _meta = { ...envelope(capabilities, client), progressToken: 'p' };
  const asked: Message['params'][] = [];
  const told: Message['params'][] = [];
  for (let more = {}; ; ) {
    const messages = await (await stateless(url, 'tools/call', { ...params, _meta, ...more })).rest();
    told.push(...messages.filter(isProgress).map((message) => message.params));
    const { inputRequests, requestState, ...result } = messages.at(-1)?.result ?? {};
    const [key = ''] = Object.keys(inputRequests ?? {});
    if (key === '') return { asked, told, result };
    more = { requestState, inputResponses: { [key]: answers[asked.length] ?? cancel } };
    asked.push(inputRequests[key].params);
  }
};

const schema = z.object({ seats: z.int().default(2), really: z.boolean().default(true) });
const accept = (content?: object) => ({ action: 'accept', ...(content && { content }) });
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const dishes = { message: 'Which?', dishes: ['soup'] };

describe.each([
  ['2025', call2025],
  ['2026', call2026],
] as const)('a client of %s', (_era, call) => {
  it.each([[{}], [undefined]])(
    'that accepts with %j what begins with an answer is asked again',
    async (content) => {
      const { asked, result } = await call(
        (ctx: Ctx) => ctx.elicit.strict({ message: 'Delete everything?', schema }),
        [accept(content), accept({ seats: 1 })],
      );
      expect(result).toMatchObject(text('{"seats":1,"really":true}'));
      expect(asked[1].message).toMatch(/^no field was answered[\s\S]*Delete everything\?$/);
    },
  );

  it.each([
    [{ role: 'user', stopReason: 'cancelled' }],
    [{ role: 'user' }],
    [{ role: 'assistant', stopReason: 'cancelled' }],
  ])('that answers a sampling with %j has refused it', async (said) => {
    const answer = { model: '', content: { type: 'text', text: 'The user cancelled the request.' }, ...said };
    const { asked, result } = await call((ctx: Ctx) => ctx.sample({ prompt: 'A tip?' }), [answer]);
    expect(result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/the client refused/) }],
    });
    expect(asked).toHaveLength(1);
  });

  it.each(['claude-code', 'codex-mcp-client', 'copilot-cli'])(
    'that shows messages raw (%s) gets no JSON in them',
    async (name) => {
      const { asked } = await call((ctx: Ctx) => ctx.elicit('meal', dishes), [], name);
      expect(asked[0]).toMatchObject({
        mode: 'form',
        message: 'Which?',
        _meta: { 'x-model-context': { dishes: ['soup'] } },
      });
    },
  );

  it('that may be any gets short context in the message, too', async () => {
    const { asked } = await call((ctx: Ctx) => ctx.elicit('meal', dishes));
    expect(asked[0].message).toBe('Which?\n\n--x-model-context: application/json\n{"dishes":["soup"]}');
  });

  it('is sent to a page with an id', async () => {
    const page = { mode: 'url', message: 'Log in.', url: 'https://example.com/in' } as const;
    const { asked, result } = await call((ctx: Ctx) => ctx.elicit.strict(page), [accept()]);
    expect(result.isError).toBeUndefined();
    expect(asked[0]).toMatchObject({ mode: 'url', elicitationId: expect.any(String) });
  });

  it('hears that a silent call lives, beside what the tool says of itself', async () => {
    const { told } = await call(function* (ctx: Ctx) {
      yield* sleep(100);
      yield* ctx.notify('copying', 0.5);
      yield* sleep(100);
      yield* ctx.notify('copied', 1);
    });
    const numbers = told.map(({ progress }) => progress);
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    const [half, whole] = [numbers.indexOf(0.5), numbers.indexOf(1)];
    expect(half).toBeGreaterThan(0);
    expect(whole).toBeGreaterThan(half + 1);
    expect(new Set(told.slice(half, whole).map(({ message }) => message))).toEqual(new Set(['copying']));
  });
});
