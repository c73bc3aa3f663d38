import { race, sleep } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createMcpServer } from 'parley-mcp/server';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { linked } from './kit/channel.ts';
import { startServer } from './kit/in-process.ts';
import { ask, envelope, type Message, openSession } from './kit/wire.ts';

const nothing = z.object({});
const size = 5 * 2 ** 20;

const picture = createMcpTool('picture')
  .description('Gives a large picture, late')
  .parameters(nothing)
  .elicits({})
  .execute(function* () {
    yield* sleep(100);
    return [{ type: 'image', mimeType: 'image/png', data: 'A'.repeat(size) }];
  });

const asking = createMcpTool('asking')
  .description('Asks with a large context')
  .parameters(nothing)
  .elicits({ pick: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    const answer = yield* ctx.elicit('pick', { message: 'Which?', board: 'B'.repeat(size) });
    return answer.action;
  });

const twice = createMcpTool('twice')
  .description('Withdraws its first question')
  .parameters(nothing)
  .elicits({ pick: z.object({ row: z.int() }) })
  .execute(function* (_params, ctx) {
    yield* race([ctx.elicit('pick', { message: 'First?' }), sleep(50)]);
    return (yield* ctx.elicit('pick', { message: 'Second?' })).action;
  });

const isAnswer = ({ result, error }: Message) => result !== undefined || error !== undefined;
const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const row = { action: 'accept', content: { row: 1 } };

describe('a message of five megabytes', () => {
  it('arrives as the result of a call, in the 2025 era and in the 2026 era', async () => {
    const running = await startServer({ tools: [picture] });
    const session = await openSession(running.url);
    const call = await session.request(1, 'tools/call', { name: 'picture', arguments: {} });
    expect((await call.until(isAnswer)).result.content[0].data).toHaveLength(size);
    const { result } = await ask(running.url, 'tools/call', { name: 'picture', arguments: {} });
    expect(result.content[0].data).toHaveLength(size);
  });

  it('arrives as a question, once, and can be answered', async () => {
    const running = await startServer({ tools: [asking] });
    const session = await openSession(running.url);
    const call = await session.request(1, 'tools/call', { name: 'asking', arguments: {} });
    const question = await call.until(isQuestion);
    expect(JSON.stringify(question).length).toBeLessThan(size * 1.1);
    await session.answer(question.id ?? '', row);
    expect((await call.until(isAnswer)).result.content[0].text).toBe('accept');
  });

  it('arrives again for a client that lost the connection, one after the other', async () => {
    const running = await startServer({ tools: [asking] });
    const session = await openSession(running.url);
    const call = await session.request(1, 'tools/call', { name: 'asking', arguments: {} });
    const primed = await call.next();
    call.drop();
    const resumed = await session.get(primed?.id);
    const question = await resumed.until(isQuestion);
    await session.answer(question.id ?? '', row);
    expect((await resumed.until(isAnswer)).result.content[0].text).toBe('accept');
  });
});

it('the first question of a connection can be taken back: its id is not 0, which clients take for none', async () => {
  const running = await startServer({ tools: [twice] });
  const session = await openSession(running.url);
  const call = await session.request(1, 'tools/call', { name: 'twice', arguments: {} });
  const questions: unknown[] = [];
  // The next question and the withdrawal of the first come in either order.
  const cancelled = await call.until((message) => {
    if (isQuestion(message)) questions.push(message.id);
    return message.method === 'notifications/cancelled';
  });
  expect(cancelled.params.requestId).toBe(1);
  if (questions.length === 1) questions.push((await call.until(isQuestion)).id);
  expect(questions).toEqual([1, 2]);
  await session.answer(2, row);
  expect((await call.until(isAnswer)).result.content[0].text).toBe('accept');
});

describe('a name of 200 KB', () => {
  const name = 'x'.repeat(200_000);
  const version = { 'io.modelcontextprotocol/protocolVersion': name };

  it('is not repeated by who refuses it over HTTP, in either era', async () => {
    const running = await startServer({ tools: [picture] });
    const session = await openSession(running.url);
    const refusals = [
      await (await session.request(1, 'tools/call', { name })).until(isAnswer),
      await ask(running.url, 'tools/call', { name }, { 'mcp-name': 'picture' }),
      await ask(running.url, name, {}, { 'mcp-method': 'tools/list' }),
      await ask(running.url, 'tools/list', { _meta: envelope({}, version) }),
    ];
    for (const { error } of refusals) {
      expect(error.message).toMatch(/more characters\)|does not say what/);
      expect(JSON.stringify(error).length).toBeLessThan(10_000);
    }
  });

  it('is not repeated by who refuses it on a channel', async () => {
    const server = createMcpServer({ name: 'test', version: '1', tools: [picture] });
    try {
      const { request } = await linked(server);
      for (const [method, params] of [
        ['tools/call', { name, _meta: envelope({}) }],
        ['subscriptions/listen', { notifications: {}, _meta: envelope({}, version) }],
      ] as const) {
        const { error } = await request(method, params);
        expect(error.message).toContain('more characters)');
        expect(JSON.stringify(error).length).toBeLessThan(10_000);
      }
    } finally {
      await server.close();
    }
  });
});

describe('a server that is offered two tools of one name', () => {
  it('is refused, naming it', async () => {
    await expect(startServer({ tools: [picture, picture] })).rejects.toThrow("a second tool 'picture'");
  });
});
