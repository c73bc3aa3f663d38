import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { type AnyTool, createMcpRegistry } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createSqliteStore } from 'parley-mcp/stores';
import { describe, expect, it } from 'vitest';
import { type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { endless, here, plainly, ship, work } from './kit/task-tools.ts';
import { openSession } from './kit/wire.ts';

const tools = [endless, here, plainly, ship, work];
const own = ownFolder();

async function start(options: Partial<McpServerOptions> = {}): Promise<InProcess> {
  const tokens = tokensOf('ann', 'bob');
  const server = await startServer({ tools, ...options }, { tokens });
  own.ending(server);
  return server;
}

/** A client of the SDK that answers each question with the next of these rows. */
async function connected({ url }: InProcess, name = 'ann', rows: number[] = []) {
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } } },
  );
  const asked: unknown[] = [];
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params);
    return { action: 'accept', content: { row: rows.shift() ?? 1 } };
  });
  const requestInit = { headers: { authorization: `Bearer ${name.repeat(20)}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  own.ending(client);
  const { tasks } = client.experimental;
  return {
    client,
    tasks,
    asked,
    /** Calls a tool as a task, and gives that. */
    async begin(tool: string, args: Record<string, unknown> = {}, task: { ttl?: number } = {}) {
      const stream = tasks.callToolStream({ name: tool, arguments: args }, CallToolResultSchema, { task });
      const { value } = await stream.next();
      if (value?.type !== 'taskCreated') throw new Error(`no task: ${JSON.stringify(value)}`);
      return value.task;
    },
  };
}

const keys = [randomBytes(32)];
const stored = () => ({ state: createSqliteStore({ folder: join(own.path, 'calls'), keys }) });
const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });

describe.each([
  ['in memory', () => ({})],
  ['in a store', stored],
])('a task of 2025-11-25 %s', (_, options) => {
  it('is called, watched, asked and fetched by a client of the SDK', async () => {
    const { tasks, asked } = await connected(await start(options()), 'ann', [99, 7]);
    const seen: string[] = [];
    let last: unknown;
    const call = { name: 'ship', arguments: { log: own.log } };
    for await (const message of tasks.callToolStream(call, CallToolResultSchema, { task: { ttl: 60_000 } })) {
      seen.push(message.type === 'taskStatus' ? message.task.status : message.type);
      last = message;
    }
    expect(seen[0]).toBe('taskCreated');
    expect(seen).toContain('input_required');
    expect(last).toMatchObject({ type: 'result', result: { content: [{ text: 'shipped to 7' }] } });
    expect(asked).toMatchObject([
      { message: 'Which row?' },
      { message: expect.stringMatching(/must be.*Which row\?/s) },
    ]);
    expect(await own.effects()).toHaveLength(2);
  });

  it('is about itself, in all that is said of it', async () => {
    const { client, asked, begin } = await connected(await start(options()));
    const { taskId, ttl } = await begin('ship', { log: own.log }, { ttl: 5_000 });
    expect(ttl).toBe(5_000);
    const result = await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ _meta: related(taskId), content: [{ text: 'shipped to 1' }] });
    expect(asked).toMatchObject([{ _meta: related(taskId) }]);
    // It may be fetched again.
    expect(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toEqual(result);
  });

  it('is listed to its principal, from another session, too, and to nobody else', async () => {
    const server = await start(options());
    const [ann, again, bob] = [
      await connected(server),
      await connected(server),
      await connected(server, 'bob'),
    ];
    const ids = [(await ann.begin('ship', { log: own.log })).taskId, (await ann.begin('work')).taskId];
    const listed = (await again.tasks.listTasks()).tasks.map(({ taskId }) => taskId);
    expect(listed.toSorted()).toEqual(ids.toSorted());
    expect((await bob.tasks.listTasks()).tasks).toEqual([]);
    const [id = ''] = ids;
    for (const refused of [
      bob.tasks.getTask(id),
      bob.tasks.cancelTask(id),
      bob.tasks.getTaskResult(id, CallToolResultSchema),
    ]) {
      await expect(refused).rejects.toMatchObject({ code: -32602 });
    }
    expect(await again.tasks.getTaskResult(id, CallToolResultSchema)).toMatchObject({
      content: [{ text: 'shipped to 1' }],
    });
  });

  it('is cancelled once, and has no result then', async () => {
    const { tasks, begin } = await connected(await start(options()));
    const { taskId } = await begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    const waiting = tasks.getTaskResult(taskId, CallToolResultSchema);
    waiting.catch(() => {});
    expect(await tasks.cancelTask(taskId)).toMatchObject({ taskId, status: 'cancelled' });
    await expect(waiting).rejects.toMatchObject({ message: expect.stringContaining('cancelled') });
    await expect(tasks.cancelTask(taskId)).rejects.toMatchObject({ code: -32602 });
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'cancelled' });
    await expect.poll(own.effects).toContain('halted');
  });

  it('of a tool that failed has failed, and has the result that says how', async () => {
    const { tasks, begin } = await connected(await start(options()));
    const { taskId } = await begin('work', { fails: true });
    const result = await tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(result).toMatchObject({ isError: true, content: [{ text: 'work failed: the work failed' }] });
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'failed' });
  });

  it('goes on when the request that waits for its result is cancelled', async () => {
    const server = await start(options());
    const { tasks, begin } = await connected(server);
    const { taskId } = await begin('endless', { log: own.log });
    const controller = new AbortController();
    const waiting = tasks.getTaskResult(taskId, CallToolResultSchema, { signal: controller.signal });
    await expect.poll(own.effects).toContain('begun 1');
    controller.abort();
    await expect(waiting).rejects.toThrow();
    expect(await tasks.getTask(taskId)).toMatchObject({ status: 'working' });
    expect(await own.effects()).toEqual(['begun 1']);
  });
});

describe('a client of 2025-11-25 that does nothing but poll, as VS Code', () => {
  const headers = { authorization: `Bearer ${'ann'.repeat(20)}` };

  it.each([
    ['in memory', () => ({})],
    ['in a store', stored],
  ])('is asked on its own stream what its task %s asks, and polls until it is over', async (_, options) => {
    const { url } = await start(options());
    const session = await openSession(url, { elicitation: {} }, headers);
    let ids = 0;
    const request = async (method: string, params: object) => {
      const id = ++ids;
      const reply = await session.request(id, method, params);
      return (await reply.until((message) => message.id === id && message.method === undefined)).result;
    };
    const mine = await session.get();
    const { task } = await request('tools/call', { name: 'ship', arguments: { log: own.log }, task: {} });
    const status = async () => (await request('tasks/get', { taskId: task.taskId })).status;
    const asked = mine.until(({ method }) => method === 'elicitation/create');
    await expect.poll(status).toBe('input_required');
    const poll = setInterval(() => void status().catch(() => {}), 200);
    const { id, params } = await asked.finally(() => clearInterval(poll));
    expect(params).toMatchObject({ message: 'Which row?', _meta: related(task.taskId) });
    await session.answer(id ?? '', { action: 'accept', content: { row: 7 } });
    await expect.poll(status).toBe('completed');
    expect(await request('tasks/result', { taskId: task.taskId })).toMatchObject({
      content: [{ text: 'shipped to 7' }],
    });
    mine.drop();
  });
});

describe('a server of 2025-11-25 with tasks', () => {
  it('says which tools have them, and serves the others without', async () => {
    const { client } = await connected(await start());
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const { tools: listed } = await client.listTools();
    expect(Object.fromEntries(listed.map(({ name, execution }) => [name, execution?.taskSupport]))).toEqual({
      endless: 'optional',
      here: 'required',
      plainly: undefined,
      ship: 'optional',
      work: 'optional',
    });
    expect(await client.callTool({ name: 'work', arguments: {} })).toMatchObject({
      content: [{ text: 'worked' }],
    });
    const request = (params: Record<string, unknown>) =>
      client.request({ method: 'tools/call', params }, CallToolResultSchema);
    await expect(request({ name: 'here', arguments: {} })).rejects.toMatchObject({ code: -32601 });
    await expect(request({ name: 'plainly', arguments: {}, task: {} })).rejects.toMatchObject({
      code: -32601,
    });
    await expect(request({ name: 'work', arguments: {}, task: { ttl: -1 } })).rejects.toMatchObject({
      code: -32602,
    });
    await expect(request({ name: 'work', arguments: { fails: 1 }, task: {} })).rejects.toMatchObject({
      code: -32602,
    });
  });

  it('has them for a tool that comes after its client', async () => {
    const later = createMcpRegistry<AnyTool>([plainly]);
    const { client, begin } = await connected(await start({ tools: later }));
    expect(client.getServerCapabilities()).toHaveProperty('tasks');
    later.set([plainly, here]);
    expect(await begin('here')).toMatchObject({ status: 'working' });
  });

  it.each([
    ['in memory', () => ({})],
    ['in a store', stored],
  ])(
    'gives what a task came to whose tool is gone, and goes on with one that is not over, %s',
    async (_, more) => {
      const offered = createMcpRegistry<AnyTool>([work, here]);
      const { tasks, begin } = await connected(await start({ tools: offered, ...more() }));
      const [done, asking] = [await begin('work'), await begin('here')];
      const resultOf = ({ taskId }: { taskId: string }) => tasks.getTaskResult(taskId, CallToolResultSchema);
      const result = await resultOf(done);
      expect(result).toMatchObject({ content: [{ text: 'worked' }] });
      offered.set([plainly]);
      expect(await resultOf(done)).toEqual(result);
      // It is answered with a row, which is no name, for as often as it asks.
      expect(await resultOf(asking)).toMatchObject({ isError: true });
    },
  );

  it('lists no tasks where anybody may be the caller', async () => {
    const server = await startServer({ tools });
    own.ending(server);
    const { client } = await connected(server);
    expect(client.getServerCapabilities()?.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
    await expect(client.experimental.tasks.listTasks()).rejects.toThrow();
  });
});
