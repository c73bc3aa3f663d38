import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type AnyTool, createMcpRegistry, createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createSqliteStore } from 'parley-mcp/stores';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { linked } from './kit/channel.ts';
import { as, type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { endless, here, plainly, ship, work } from './kit/task-tools.ts';
import { listening, TASKS, taskClient } from './kit/tasks.ts';
import { envelope, type Message, openSession, type Reply } from './kit/wire.ts';

const tools = [endless, here, ship, work];
const own = ownFolder();
const open: Reply[] = [];
afterEach(() => {
  for (const reply of open.splice(0)) reply.drop();
});

async function start(
  options: Partial<McpServerOptions> = {},
  more: Parameters<typeof startServer>[1] = {},
): Promise<InProcess> {
  const tokens = tokensOf('ann', 'bob');
  const server = await startServer({ tools, ...options }, { tokens, ...more });
  own.ending(server);
  return server;
}

const ann = as('ann');
const keys = [randomBytes(32)];
const stored = () => ({ state: createSqliteStore({ folder: join(own.path, 'calls'), keys }) });
const where = (row: number) => ({ where: { action: 'accept', content: { row } } });

/** Opens a stream of news, and gives its first message. */
async function listen(url: URL, notifications: object, headers = ann, capabilities: object = TASKS) {
  const reply = await listening(url, notifications, headers, capabilities);
  open.push(reply);
  const first = (await reply.next())?.message;
  return { reply, first, status: (name: string) => reply.until(({ params }) => params?.status === name) };
}

describe.each([
  ['in memory', () => ({})],
  ['in a store', stored],
] as const)('a client of 2026-07-28 that listens to its tasks %s', (_, options) => {
  it('is told what tasks/get says, with each change, until its tasks are over', async () => {
    const { url } = await start(options());
    const client = taskClient(url, ann);
    const id = await client.begin('ship', { log: own.log });
    const { reply, first, status } = await listen(url, { taskIds: [id] });
    expect(first).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [id] } },
    });
    const asks = await status('input_required');
    expect(asks).toMatchObject({ method: 'notifications/tasks', params: { taskId: id } });
    const { _meta, ...told } = asks.params;
    expect(_meta).toEqual(first?.params._meta);
    const { resultType: __, _meta: ___, ...got } = (await client.get(id)).result;
    expect(told).toEqual(got);
    await client.update(id, where(7));
    const end = await status('completed');
    expect(end.params.result).toMatchObject({ content: [{ text: 'shipped to 7' }] });
    // Nothing more comes: the stream ends as one that the server closes.
    expect(await reply.rest()).toMatchObject([{ result: { resultType: 'complete' } }]);
  });

  it('is told of one that is cancelled, and of one that was over before', async () => {
    const { url } = await start(options());
    const client = taskClient(url, ann);
    const [done, endlessly] = [await client.begin('work'), await client.begin('endless', { log: own.log })];
    await client.until(done, 'completed');
    const { reply, status } = await listen(url, { taskIds: [done, endlessly] });
    expect((await status('completed')).params).toMatchObject({ taskId: done });
    await client.cancel(endlessly);
    expect((await status('cancelled')).params).toMatchObject({ taskId: endlessly });
    expect((await reply.rest()).at(-1)).toMatchObject({ result: { resultType: 'complete' } });
  });

  it('hears nothing of the tasks of others, nor of any without the extension', async () => {
    const { url } = await start(options());
    const client = taskClient(url, ann);
    const id = await client.begin('ship', { log: own.log });
    const wrong = [id, 'call_none', '', '__proto__', 'x'.repeat(10_000), 7, null];
    const bob = await listen(url, { taskIds: wrong }, as('bob'));
    expect(bob.first).toMatchObject({ params: { notifications: { taskIds: [] } } });
    expect(await bob.reply.rest()).toMatchObject([{ result: { resultType: 'complete' } }]);
    const plain = await listen(url, { taskIds: [id] }, ann, { elicitation: {} });
    expect(plain.first?.error).toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    });
    expect(plain.reply.status).toBe(400);
  });

  it('is told the same on each of its streams, and no more once it has closed one', async () => {
    const { url } = await start(options());
    const client = taskClient(url, ann);
    const ids = [await client.begin('ship', { log: own.log }), await client.begin('ship', { log: own.log })];
    const streams = await Promise.all(Array.from({ length: 20 }, () => listen(url, { taskIds: ids })));
    for (const id of ids) await client.until(id, 'input_required');
    for (const { reply } of streams.splice(10)) reply.drop();
    for (const id of ids) await client.update(id, where(3));
    for (const { reply } of streams) {
      const ends = (await reply.rest()).filter(({ params }) => params?.status === 'completed');
      expect(ends.map(({ params }) => params.taskId).sort()).toEqual([...ids].sort());
    }
  });
});

describe('a stream of news of tasks', () => {
  it('has other news as well, and stays open for those when its tasks are over', async () => {
    const registry = createMcpRegistry<AnyTool>(tools);
    const { url } = await start({ tools: registry });
    const client = taskClient(url, ann);
    const id = await client.begin('work');
    const wanted = { taskIds: [id], toolsListChanged: true };
    const { reply, first, status } = await listen(url, wanted);
    expect(first?.params.notifications).toEqual(wanted);
    await status('completed');
    registry.set([...tools, plainly]);
    await reply.until(({ method }) => method === 'notifications/tools/list_changed');
  });

  it('is refused where one principal has too many, and others have theirs', async () => {
    const { url } = await start({}, { limits: { maxSubscriptions: 3 } });
    const begin = async (headers: typeof ann) => taskClient(url, headers).begin('ship', { log: own.log });
    const [mine, other] = [await begin(ann), await begin(as('bob'))];
    for (let at = 0; at < 3; at += 1) await listen(url, { taskIds: [mine] });
    const fourth = await listen(url, { taskIds: [mine] });
    expect(fourth.first?.error).toMatchObject({ code: -32603, message: 'Subscription limit reached' });
    expect((await listen(url, { taskIds: [other] }, as('bob'))).first).toMatchObject({
      params: { notifications: { taskIds: [other] } },
    });
    open.shift()?.drop();
    await expect
      .poll(async () => (await listen(url, { taskIds: [mine] })).first?.method, { timeout: 10_000 })
      .toBe('notifications/subscriptions/acknowledged');
  });

  it('is ended with its server, and with its principal', async () => {
    const server = await start();
    const id = await taskClient(server.url, ann).begin('ship', { log: own.log });
    const { reply } = await listen(server.url, { taskIds: [id] });
    await server.dismiss('ann', 'the token is gone');
    expect((await reply.rest()).at(-1)).toMatchObject({ result: { resultType: 'complete' } });
  });
});

describe('on one channel', () => {
  it('a client of 2026-07-28 is told of its tasks until it cancels', async () => {
    const { server } = await start();
    const { request, notify, until, untaken } = await linked(server);
    const _meta = envelope(TASKS);
    const begin = async () =>
      (await request('tools/call', { name: 'ship', arguments: { log: own.log }, _meta })).result.taskId;
    const ids = [await begin(), await begin()];
    const listenTo = (id: string) =>
      request(
        'subscriptions/listen',
        { notifications: { taskIds: [id, 'call_none'] }, _meta },
        `listen ${id}`,
      );
    const answers: Message[] = [];
    for (const id of ids) void listenTo(id).then((answer) => answers.push(answer));
    for (const id of ids) {
      const asks = await until(({ params }) => params?.taskId === id && params.status === 'input_required');
      expect(asks).toMatchObject({
        method: 'notifications/tasks',
        params: { _meta: { 'io.modelcontextprotocol/subscriptionId': `listen ${id}` } },
      });
    }
    const [kept, left] = ids;
    notify('notifications/cancelled', { requestId: `listen ${left}` });
    for (const taskId of [left, kept]) {
      await request('tasks/update', { taskId, inputResponses: where(1), _meta });
    }
    await until(({ params }) => params?.taskId === kept && params.status === 'completed');
    const status = async () => (await request('tasks/get', { taskId: left, _meta })).result.status;
    await expect.poll(status, { timeout: 10_000 }).toBe('completed');
    expect(untaken.filter(({ params }) => params?.taskId === left && params.status === 'completed')).toEqual(
      [],
    );
    expect(answers).toEqual([]);
    const refused = await request('subscriptions/listen', {
      notifications: { taskIds: ids },
      _meta: envelope({}),
    });
    expect(refused.error).toMatchObject({ code: -32021 });
  });
});

describe('a client of 2025-11-25', () => {
  it('is told of each change of a task that it began, or asked about, on the stream of its session', async () => {
    const { url } = await start(stored());
    const [session, other, stranger] = [
      await openSession(url, undefined, ann),
      await openSession(url, undefined, ann),
      await openSession(url, undefined, as('bob')),
    ];
    const streams = [await session.get(), await other.get(), await stranger.get()];
    open.push(...streams);
    const asked = async (one: typeof session, id: number, method: string, params: object) =>
      await (await one.request(id, method, params)).until((message) => message.id === id);
    const { result } = await asked(session, 1, 'tools/call', {
      name: 'ship',
      arguments: { log: own.log },
      task: {},
    });
    const { taskId } = result.task;
    const status = (name: string) => (message: Message) => message.params?.status === name;
    expect(await streams[0]?.until(status('input_required'))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tasks/status',
      params: {
        ...{ taskId, status: 'input_required', statusMessage: 'packed', ttl: expect.any(Number) },
        ...{ createdAt: expect.any(String), lastUpdatedAt: expect.any(String), pollInterval: 1_000 },
      },
    });
    expect((await asked(other, 1, 'tasks/get', { taskId })).result).toMatchObject({
      status: 'input_required',
    });
    expect((await asked(stranger, 1, 'tasks/get', { taskId })).error).toMatchObject({ code: -32602 });
    await asked(other, 2, 'tasks/cancel', { taskId });
    for (const stream of streams.slice(0, 2)) {
      expect(await stream.until(status('cancelled'))).toMatchObject({ params: { taskId } });
    }
    // The stranger's stream has nothing: the first that comes on it is what comes now.
    const mine = await asked(stranger, 2, 'tools/call', { name: 'work', arguments: {}, task: {} });
    const first = await streams[2]?.next();
    expect(first?.message ?? (await streams[2]?.next())?.message).toMatchObject({
      params: { taskId: mine.result.task.taskId, status: 'completed' },
    });
  });
});

describe('a client that does not read its news', () => {
  it('loses its stream when too much waits for it; its tasks and the streams of others go on', async () => {
    const large = createMcpTool('large')
      .description('Gives much')
      .parameters(z.object({ log: z.string() }))
      .task()
      .elicits({ go: z.object({}) })
      .execute(function* (_, ctx) {
        yield* ctx.elicit.strict('go', { message: 'Go?' });
        return 'x'.repeat(1024 * 1024);
      });
    const server = await start({ tools: [large] }, { limits: { maxUnread: 2 * 1024 * 1024 } });
    const client = taskClient(server.url, ann);
    const ids: string[] = [];
    for (let count = 0; count < 30; count++) ids.push(await client.begin('large', { log: own.log }));
    for (const id of ids) await client.until(id, 'input_required');
    const socket = connect(Number(server.url.port), server.url.hostname).pause();
    await once(socket, 'connect');
    const body = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' },
      params: { notifications: { taskIds: ids }, _meta: envelope(TASKS) },
    });
    const head = Object.entries({
      ...ann,
      host: server.url.host,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-method': 'subscriptions/listen',
      'mcp-protocol-version': '2026-07-28',
      'content-length': String(Buffer.byteLength(body)),
    });
    const lines = ['POST /mcp HTTP/1.1', ...head.map(([name, value]) => `${name}: ${value}`), '', body];
    socket.on('error', () => {}).write(lines.join('\r\n'));
    // It has read the beginning, and nothing from there on.
    socket.resume();
    const [first] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    expect(first.toString()).toContain('200 OK');
    const reads = await listen(server.url, { taskIds: ids });
    for (const id of ids) {
      await client.update(id, { go: { action: 'accept', content: {} } });
      await reads.reply.until(({ params }) => params?.taskId === id && params.status === 'completed');
    }
    for (const id of ids) expect((await client.get(id)).result).toMatchObject({ status: 'completed' });
    // Dropped at the other end: what the kernel has not taken is let go of.
    let length = first.length;
    socket.on('data', (chunk: Buffer) => {
      length += chunk.length;
    });
    const closed = once(socket, 'close');
    socket.resume();
    await closed;
    expect(length).toBeLessThan(15 * 1024 * 1024);
  });
});
