import { randomBytes, randomUUID } from 'node:crypto';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { sleep } from 'effection';
import { type AnyTool, createMcpRegistry } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createSqliteStore } from 'parley-mcp/stores';
import { describe, expect, it } from 'vitest';
import type { Append, Claim } from '#src/runtime/journal/call-store.ts';
import { as, type InProcess, startServer, tokensOf } from './kit/in-process.ts';
import { ownFolder } from './kit/own-folder.ts';
import { endless, here, plainly, rows, ship, work } from './kit/task-tools.ts';
import { taskClient } from './kit/tasks.ts';
import { accept, ask, envelope } from './kit/wire.ts';

const tools = [endless, here, plainly, rows, ship, work];
const own = ownFolder();

async function start(
  options: Partial<McpServerOptions> = {},
  tokens?: readonly string[],
): Promise<InProcess> {
  const handler = tokens && { tokens: tokensOf(...tokens) };
  const server = await startServer({ tools, ...options }, handler);
  own.ending(server);
  return server;
}

const where = (row: number) => ({ where: accept({ row }) });
const notFound = { code: -32602, message: expect.stringContaining('Task not found') };
const keys = [randomBytes(32)];
const stored = () => ({ state: createSqliteStore({ folder: join(own.path, 'calls'), keys }) });

describe.each([
  ['in memory', () => ({}), 1_000],
  ['in a store', stored, 200],
] as const)('a task of 2026-07-28 %s', (_, options, many) => {
  async function crossNowhere(count: number): Promise<void> {
    const share = { maxWaiting: 2_000, maxSessions: 2_000 };
    const client = taskClient((await start({ ...options(), limits: { maxWaiting: 2_000, share } })).url);
    const rows = Array.from({ length: count }, (_one, index) => index % 30);
    const all = await inTurns(rows, async (row) => {
      const id = await client.begin('ship', { log: own.log });
      await client.until(id, 'input_required');
      await client.update(id, where(row));
      return await client.until(id, 'completed');
    });
    expect(all.map(({ result }) => result.content[0].text)).toEqual(rows.map((row) => `shipped to ${row}`));
    expect(await own.effects()).toHaveLength(2 * count);
  }

  it('goes on without its request, asks, is answered, and keeps what came of it', async () => {
    const client = taskClient((await start(options())).url);
    const { result } = await client.call('ship', { log: own.log });
    expect(result).toMatchObject({ resultType: 'task', status: 'working', ttlMs: expect.any(Number) });
    const asks = await client.until(result.taskId, 'input_required');
    expect(asks).toMatchObject({
      resultType: 'complete',
      taskId: result.taskId,
      statusMessage: 'packed',
      inputRequests: { where: { method: 'elicitation/create', params: { message: 'Which row?' } } },
    });
    expect((await client.update(result.taskId, where(7))).result).toMatchObject({ resultType: 'complete' });
    const end = await client.until(result.taskId, 'completed');
    expect(end).not.toHaveProperty('inputRequests');
    expect(end.result).toMatchObject({ content: [{ text: 'shipped to 7' }] });
    expect((await own.effects()).map((line) => line.replace(/ \S+$/, ''))).toEqual(['pack', 'ship 7']);
    expect((await client.get(result.taskId)).result).toEqual({ ...end, _meta: expect.anything() });
  });

  it('asks again under another key where an answer does not fit', async () => {
    const client = taskClient((await start(options())).url);
    const id = await client.begin('ship', { log: own.log });
    await client.until(id, 'input_required');
    await client.update(id, where(99));
    const again = await client.until(id, 'input_required');
    expect(Object.keys(again.inputRequests)).toEqual(['where~2']);
    // The key of the question before is used up.
    await client.update(id, where(7));
    expect((await client.get(id)).result).toMatchObject({ status: 'input_required' });
    await client.update(id, { 'where~2': accept({ row: 8 }) });
    expect(await client.until(id, 'completed')).toMatchObject({
      result: { content: [{ text: 'shipped to 8' }] },
    });
  });

  it('has the questions of tools that ask at once side by side, each answered by itself, in any order', async () => {
    const client = taskClient((await start(options())).url);
    const id = await client.begin('rows', { log: own.log });
    const open = async () => (await client.until(id, 'input_required')).inputRequests;
    await expect.poll(async () => Object.keys(await open())).toHaveLength(3);
    const asked = Object.entries(await open());
    const keyOf = (of: string) =>
      asked.find(([, request]) => JSON.stringify(request).includes(`row of ${of}`))?.[0] as string;
    for (const [at, of] of ['C', 'A'].entries()) {
      await client.update(id, { [keyOf(of)]: accept({ row: at + 1 }) });
      await expect.poll(async () => Object.keys(await open())).not.toContain(keyOf(of));
    }
    expect(Object.keys(await open())).toEqual([keyOf('B')]);
    await client.update(id, { [keyOf('B')]: accept({ row: 99 }) });
    await expect.poll(async () => Object.keys(await open())).toEqual([`${keyOf('B')}~2`]);
    await client.update(id, { [`${keyOf('B')}~2`]: accept({ row: 3 }) });
    expect(await client.until(id, 'completed')).toMatchObject({ result: { content: [{ text: '2 3 1' }] } });
    expect(await own.effects()).toEqual(['begun', 'ended']);
  });

  it('takes the first of two answers, and answers to nothing do nothing', async () => {
    const client = taskClient((await start(options())).url);
    const id = await client.begin('ship', { log: own.log });
    await client.until(id, 'input_required');
    await client.update(id, { other: accept({ row: 1 }), 'where~2': accept({ row: 1 }) });
    expect((await client.get(id)).result).toMatchObject({ status: 'input_required' });
    const both = await Promise.all([client.update(id, where(1)), client.update(id, where(2))]);
    for (const { result } of both) expect(result).toMatchObject({ resultType: 'complete' });
    const end = await client.until(id, 'completed');
    await client.update(id, where(3));
    expect((await client.get(id)).result.result).toEqual(end.result);
    expect(await own.effects()).toHaveLength(2);
  });

  it('is cancelled once and for all, also while it waits, and its code is halted', async () => {
    const client = taskClient((await start(options())).url);
    const waits = await client.begin('ship', { log: own.log });
    await client.until(waits, 'input_required');
    const works = await client.begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    for (const id of [waits, works, waits, works]) {
      const { result } = await client.cancel(id);
      expect(result).toMatchObject({ resultType: 'complete' });
      expect(result).not.toHaveProperty('status');
      expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
    }
    await expect.poll(own.effects).toContain('halted');
    await client.update(waits, where(7));
    expect((await client.get(waits)).result).toMatchObject({ status: 'cancelled' });
  });

  it("is its principal's alone", async () => {
    const { url } = await start(options(), ['ann', 'bob']);
    const [ann, bob] = [taskClient(url, as('ann')), taskClient(url, as('bob'))];
    const id = await ann.begin('ship', { log: own.log });
    await ann.until(id, 'input_required');
    for (const forged of [id, `${id}x`, `call_${randomUUID()}`, '', 'x'.repeat(10_000), '__proto__']) {
      expect((await bob.get(forged)).error).toMatchObject(notFound);
      expect((await bob.update(forged, where(1))).error).toMatchObject(notFound);
      expect((await bob.cancel(forged)).error).toMatchObject(notFound);
    }
    expect((await ann.get(id)).result).toMatchObject({ status: 'input_required' });
  });

  it('is there for its time, and not after', async () => {
    const client = taskClient((await start({ ...options(), tasks: { ttl: 400 } })).url);
    const id = await client.begin('ship', { log: own.log });
    expect((await client.get(id)).result).toMatchObject({ ttlMs: 400 });
    await expect.poll(async () => (await client.get(id)).error, { timeout: 10_000 }).toMatchObject(notFound);
    expect((await client.update(id, where(1))).error).toMatchObject(notFound);
  });

  it('of an error of the tool is completed, and of one of the protocol failed', async () => {
    const { url } = await start(options());
    const client = taskClient(url);
    const failing = await client.begin('work', { fails: true });
    expect(await client.until(failing, 'completed')).toMatchObject({
      result: { isError: true, content: [{ text: 'work failed: the work failed' }] },
    });
    const without = taskClient(url, {}, { extensions: { 'io.modelcontextprotocol/tasks': {} } });
    const lacking = await without.begin('here');
    expect(await without.until(lacking, 'failed')).toMatchObject({
      error: { code: -32021, data: { requiredCapabilities: { elicitation: {} } } },
    });
  });

  it('is one of forty that are begun, answered and fetched at once, and none crosses', () =>
    crossNowhere(40));

  it(
    'is one of many that are begun, answered and fetched at once, and none crosses',
    {
      timeout: 180_000,
      tags: 'long',
    },
    () => crossNowhere(many),
  );
});

/** Does something with each, twenty at a time. */
async function inTurns<T, R>(items: readonly T[], what: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const waiting = items.map((item, index) => ({ item, index }));
  const next = async (): Promise<void> => {
    for (let one = waiting.shift(); one; one = waiting.shift()) results[one.index] = await what(one.item);
  };
  await Promise.all(Array.from({ length: 20 }, next));
  return results;
}

describe('a server with tasks', () => {
  it('serves clients without them as before, but for tools that are nothing else', async () => {
    const { url } = await start();
    const client = taskClient(url, {}, { elicitation: {} });
    expect((await client.call('work')).result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'worked' }],
    });
    const requiredCapabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    expect((await client.call('here')).error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    const id = await taskClient(url).begin('ship', { log: own.log });
    for (const { error } of [await client.get(id), await client.update(id, {}), await client.cancel(id)]) {
      expect(error).toMatchObject({ code: -32021, data: { requiredCapabilities } });
    }
  });

  it('says so, and one whose tools have none, or whose calls are in their clients’ hands, does not', async () => {
    const declared = async (options: Partial<McpServerOptions>) => {
      const { url } = await start(options);
      return (await ask(url, 'server/discover', { _meta: envelope() })).result.capabilities;
    };
    expect(await declared({})).toMatchObject({ extensions: { 'io.modelcontextprotocol/tasks': {} } });
    expect(await declared({})).not.toHaveProperty('tasks');
    // A tool that has them may come later.
    const later = createMcpRegistry<AnyTool>([plainly]);
    expect(await declared({ tools: later })).toMatchObject({
      extensions: { 'io.modelcontextprotocol/tasks': {} },
    });
    for (const none of [
      { tools: [plainly] },
      { tasks: false as const },
      { state: 'carried' as const, stateKeys: keys },
    ]) {
      expect(await declared(none)).not.toHaveProperty('extensions');
    }
  });

  it('ends the tasks in its memory with whoever they are of', async () => {
    const server = await start({}, ['ann']);
    const client = taskClient(server.url, as('ann'));
    const id = await client.begin('endless', { log: own.log });
    await expect.poll(own.effects).toContain('begun 1');
    await server.dismiss('ann', 'ann has left');
    await expect.poll(own.effects).toContain('halted');
    expect((await client.get(id)).result).toMatchObject({ status: 'cancelled' });
  });

  it('counts tasks that wait in the share of their principal: the oldest gives way', async () => {
    const server = await start({ limits: { share: { maxWaiting: 2 } } });
    const client = taskClient(server.url);
    const ids: string[] = [];
    for (let one = 0; one < 3; one++) {
      const id = await client.begin('here');
      await client.until(id, 'input_required');
      ids.push(id);
    }
    const [first = '', , last = ''] = ids;
    expect(await client.until(first, 'cancelled')).toMatchObject({
      statusMessage: expect.stringContaining('made room'),
    });
    expect((await client.get(last)).result).toMatchObject({ status: 'input_required' });
  });

  it('keeps nothing of a task that waits in its memory where a store has it', async () => {
    const server = await start(stored());
    const client = taskClient(server.url);
    const id = await client.begin('ship', { log: own.log });
    await client.until(id, 'input_required');
    await expect.poll(() => server.holdings()).toEqual([]);
    await access(join(own.path, 'calls'));
  });
});

describe('a task of 2026-07-28 in a store that writes slowly', () => {
  it('is over once and for all, whatever was being written when it ended', async () => {
    const store = createSqliteStore({ folder: join(own.path, 'calls'), keys });
    // How a task stands is written late, how it ended at once.
    const append = store.append.bind(store);
    Object.assign(store, {
      *append(claim: Claim, what: Append) {
        if (what.lines === undefined && !what.ended) yield* sleep(200);
        yield* append(claim, what);
      },
    });
    const client = taskClient((await start({ state: store })).url);
    const id = await client.begin('ship', { log: own.log });
    await client.until(id, 'input_required');
    const both = await Promise.all([client.update(id, where(1)), client.update(id, where(2))]);
    for (const { result } of both) expect(result).toMatchObject({ resultType: 'complete' });
    const { result } = await client.until(id, 'completed', 'failed', 'cancelled');
    expect(result).toMatchObject({ content: [{ text: expect.stringMatching(/^shipped to [12]$/) }] });
    await client.update(id, where(3));
    await client.cancel(id);
    expect((await client.get(id)).result).toMatchObject({ status: 'completed', result });
  });
});
