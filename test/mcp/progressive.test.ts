import { type Operation, suspend } from 'effection';
import { type AnyTool, createMcpRegistry, createMcpTool } from 'parley-mcp';
import type { InnerCall } from 'parley-mcp/server';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { bothEras } from './kit/edge.ts';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, openSession, stateless } from './kit/wire.ts';

const add = createMcpTool('math_add')
  .description('Adds a number to a sum')
  .parameters(z.object({ sum: z.number().default(0), by: z.number() }))
  .elicits({})
  .execute(function* ({ sum, by }, ctx) {
    yield* ctx.notify(`adding ${by}`);
    return sum + by;
  });
const fail = createMcpTool('math_fail')
  .description('Fails')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    throw new Error('no such number');
  });
const filler = Array.from({ length: 60 }, (_, index) =>
  createMcpTool(`shelf_item_${String(index).padStart(2, '0')}`)
    .description(`Fetches the thing on shelf ${index}`)
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return index;
    }),
);

async function start() {
  const { tools, witness } = testTools();
  const running = await startServer({ tools: [...tools, add, fail, ...filler], progressive: true });
  return { url: running.url, witness };
}

// biome-ignore lint/suspicious/noExplicitAny: tests look into it as far as they need
const dataOf = (result: any) => JSON.parse(result.content[0].text);

it('lists five tools in the place of very many, and runs the others by name, too', async () => {
  const { url } = await start();
  for (const client of await bothEras(url)) {
    const { tools } = await client.request('tools/list');
    expect(tools.map(({ name }: { name: string }) => name)).toEqual([
      'describe_tool',
      'list_namespaces',
      'run_chain',
      'run_tool',
      'search_tools',
    ]);
    const direct = await client.request('tools/call', { name: 'math_add', arguments: { by: 2 } });
    expect(direct.content[0].text).toBe('2');
  }
});

it('finds tools by words, best first, page by page', async () => {
  const { url } = await start();
  const [client] = await bothEras(url);
  const search = async (args: object) =>
    dataOf(await client.request('tools/call', { name: 'search_tools', arguments: args }));
  expect((await search({ query: 'add number' })).tools[0].name).toBe('math_add');
  expect((await search({ query: 'ad numbr' })).tools[0].name).toBe('math_add');
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await search({ query: 'shelf', limit: 25, ...(cursor === undefined ? {} : { cursor }) });
    seen.push(...page.tools.map(({ name }: { name: string }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(seen).size).toBe(60);
  const first = await search({ query: 'shelf', limit: 25 });
  const crossed = await client.request('tools/call', {
    name: 'search_tools',
    arguments: { query: 'other', cursor: first.nextCursor },
  });
  expect(crossed).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('Start again without a cursor') }],
  });
});

it('lists namespaces, and describes a tool in as much detail as asked for', async () => {
  const { url } = await start();
  const [client] = await bothEras(url);
  const run = async (name: string, args: object) => client.request('tools/call', { name, arguments: args });
  expect(dataOf(await run('list_namespaces', {})).namespaces).toContainEqual({ name: 'shelf', tools: 60 });
  expect(dataOf(await run('describe_tool', { name: 'ask_seat', detail: 'summary' }))).toEqual({
    name: 'ask_seat',
    description: 'Asks for a seat',
  });
  expect(dataOf(await run('describe_tool', { name: 'ask_seat' }))).toHaveProperty('inputSchema');
  expect(dataOf(await run('describe_tool', { name: 'ask_seat', detail: 'full' }))).toHaveProperty(
    'asks.seat',
  );
  const unknown = await run('describe_tool', { name: 'nobody' });
  expect(unknown).toMatchObject({ isError: true });
  expect(unknown.content[0].text).toContain('search_tools');
});

it('runs a tool that asks as if it had been called itself', async () => {
  const { url } = await start();
  const params = { name: 'run_tool', arguments: { name: 'ask_seat', arguments: { flight: 'KL9' } } };
  const { result } = await ask(url, 'tools/call', params);
  expect(result.inputRequests.seat.params.message).toBe('Which row on KL9?');
  const { requestState } = result;
  const swapped = { name: 'run_tool', arguments: { name: 'echo', arguments: { flight: 'KL9' } } };
  expect((await ask(url, 'tools/call', { ...swapped, requestState })).error).toMatchObject({ code: -32602 });
  const inputResponses = { seat: { action: 'accept', content: { row: 2 } } };
  const done = await ask(url, 'tools/call', { ...params, requestState, inputResponses });
  expect(done.result.content[0].text).toBe('row 2 on KL9');
});

it('runs a chain, passes results on, and asks what the step asks', async () => {
  const { url } = await start();
  const steps = [
    { name: 'math_add', arguments: { by: 1 } },
    { name: 'math_add', arguments: { by: 2 }, pass: 'sum' },
    { name: 'ask_seat', arguments: {} },
  ];
  const params = {
    name: 'run_chain',
    arguments: { steps },
    _meta: envelope(undefined, { progressToken: 'p' }),
  };
  const messages = await (await stateless(url, 'tools/call', params)).rest();
  expect(messages.filter(({ method }) => method === 'notifications/progress')).toHaveLength(2);
  const { requestState, inputRequests } = messages.at(-1)?.result ?? {};
  expect(Object.keys(inputRequests)).toEqual(['seat']);
  const inputResponses = { seat: { action: 'accept', content: { row: 5 } } };
  const done = await ask(url, 'tools/call', { ...params, requestState, inputResponses });
  expect(dataOf(done.result).steps).toEqual([
    { tool: 'math_add', result: 1 },
    { tool: 'math_add', result: 3 },
    { tool: 'ask_seat', result: 'row 5 on KL1' },
  ]);
});

it('stops a chain at the first step that fails, with its index and what came before', async () => {
  const { url } = await start();
  for (const client of await bothEras(url)) {
    const steps = [{ name: 'math_add', arguments: { by: 1 } }, { name: 'math_fail' }, { name: 'idle' }];
    const result = await client.request('tools/call', { name: 'run_chain', arguments: { steps } });
    expect(result).toMatchObject({
      isError: true,
      structuredContent: {
        steps: [{ tool: 'math_add', result: 1 }],
        failed: { index: 1, tool: 'math_fail', message: 'no such number' },
      },
    });
  }
});

it('runs no step of a chain that names a tool which is not there', async () => {
  const { url, witness } = await start();
  const [client] = await bothEras(url);
  const steps = [{ name: 'idle' }, { name: 'nobody' }];
  expect(await client.request('tools/call', { name: 'run_chain', arguments: { steps } })).toMatchObject({
    isError: true,
  });
  expect(witness.started).toBe(0);
});

describe('what runs inside another tool', () => {
  async function startAsking(answer: (inner: InnerCall) => Operation<boolean>) {
    const { tools, witness } = testTools();
    const asked: unknown[] = [];
    const running = await startServer({
      tools: [...tools, add],
      progressive: {
        *approve(inner) {
          asked.push([inner.session.toolName, inner.tool.name, inner.params]);
          return yield* answer(inner);
        },
      },
    });
    return { url: running.url, witness, asked };
  }
  const steps = [
    { name: 'echo', arguments: { text: 'hi' } },
    { name: 'math_add', arguments: { by: 1 } },
  ];

  it('is approved by its name, unless it only reads', async () => {
    const { url, asked } = await startAsking(function* () {
      return true;
    });
    for (const client of await bothEras(url)) {
      const chain = await client.request('tools/call', { name: 'run_chain', arguments: { steps } });
      expect(dataOf(chain).steps).toHaveLength(2);
      const one = { name: 'run_tool', arguments: { name: 'math_add', arguments: { by: 2 } } };
      expect((await client.request('tools/call', one)).content[0].text).toBe('2');
      await client.request('tools/call', { name: 'math_add', arguments: { by: 3 } });
      expect(asked.splice(0)).toEqual([
        ['run_chain', 'math_add', { sum: 0, by: 1 }],
        ['math_add', 'math_add', { sum: 0, by: 2 }],
      ]);
    }
  });

  it('does not run without that, and the client is told whose word it was', async () => {
    const { url, witness } = await startAsking(function* () {
      return false;
    });
    for (const client of await bothEras(url)) {
      const args = { steps: [...steps, { name: 'idle' }] };
      const chain = await client.request('tools/call', { name: 'run_chain', arguments: args });
      expect(chain).toMatchObject({ isError: true, structuredContent: { failed: { index: 1 } } });
      const one = await client.request('tools/call', { name: 'run_tool', arguments: { name: 'idle' } });
      expect(one).toMatchObject({ isError: true });
      for (const { content } of [chain, one]) expect(content[0].text).toContain('The user did not allow');
    }
    expect(witness.started).toBe(0);
  });

  it('is not waited for any more when the client cancels', async () => {
    const open = { count: 0 };
    const { url, witness } = await startAsking(function* () {
      open.count += 1;
      try {
        yield* suspend();
        return true;
      } finally {
        open.count -= 1;
      }
    });
    const session = await openSession(url);
    await session.request(0, 'tools/call', { name: 'run_tool', arguments: { name: 'idle' } });
    await vi.waitFor(() => expect(open.count).toBe(1));
    await session.notify('notifications/cancelled', { requestId: 0 });
    await vi.waitFor(() => expect(open.count).toBe(0));
    expect(witness.started).toBe(0);
  });
});

it('cancels the step of a chain that runs', async () => {
  const { url, witness } = await start();
  const session = await openSession(url);
  const args = { steps: [{ name: 'idle' }, { name: 'math_add', arguments: { by: 1 } }] };
  const call = await session.request(0, 'tools/call', {
    name: 'run_chain',
    arguments: args,
    _meta: { progressToken: 1 },
  });
  await call.until(({ method }) => method === 'notifications/progress');
  await session.notify('notifications/cancelled', { requestId: 0 });
  await vi.waitFor(() => expect(witness).toEqual({ started: 1, ended: 1 }));
});

it('goes on with clients that run tools through it where the catalogue has become small', async () => {
  const tools = createMcpRegistry<AnyTool>([add, ...filler]);
  const running = await startServer({ tools, progressive: { above: 40 } });
  const clients = await bothEras(running.url);
  for (const client of clients) expect((await client.request('tools/list')).tools).toHaveLength(5);
  tools.set([add]);
  for (const client of clients) {
    const { tools: listed } = await client.request('tools/list');
    expect(listed.map(({ name }: { name: string }) => name)).toEqual(['math_add']);
    const run = async (name: string, args: object) =>
      (await client.request('tools/call', { name, arguments: args })).content[0].text;
    expect(await run('run_tool', { name: 'math_add', arguments: { by: 2 } })).toBe('2');
    const steps = [{ name: 'math_add', arguments: { by: 3 } }];
    expect(JSON.parse(await run('run_chain', { steps })).steps).toEqual([{ tool: 'math_add', result: 3 }]);
    expect(JSON.parse(await run('search_tools', { query: 'shelf add' })).tools).toHaveLength(1);
    expect(await run('run_tool', { name: 'shelf_item_07' })).toContain('search_tools');
  }
});

it('leaves the names of its tools to others where it lists all', async () => {
  const theirs = createMcpTool('run_tool')
    .description('Is of somebody else')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return 'theirs';
    });
  const running = await startServer({ tools: [theirs], progressive: { above: 40 } });
  for (const client of await bothEras(running.url)) {
    const { content } = await client.request('tools/call', { name: 'run_tool', arguments: {} });
    expect(content[0].text).toBe('theirs');
  }
});
