import { suspend } from 'effection';
import {
  createMcpPrompt,
  createMcpRegistry,
  createMcpResource,
  createMcpResourceTemplate,
  createMcpTool,
} from 'parley-mcp';
import type { Served } from 'parley-mcp/server';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { bothEras } from './kit/edge.ts';
import { startServer } from './kit/in-process.ts';
import { envelope, openSession, stateless } from './kit/wire.ts';

async function start(...args: Parameters<typeof startServer>): Promise<URL> {
  const running = await startServer(...args);
  return running.url;
}

const plain = (name: string) =>
  createMcpTool(name)
    .description(`The tool ${name}`)
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      return name;
    });

describe('tools', () => {
  const priced = createMcpTool('price')
    .description('Says what a flight costs')
    .parameters(z.object({ flight: z.string(), seats: z.int().default(1) }))
    .output(z.object({ euros: z.number() }))
    .annotations({ readOnlyHint: true, title: 'ignored beside a title' })
    .title('Price of a flight')
    .elicits({})
    .execute(function* ({ seats }) {
      return { euros: seats * 80 };
    });

  it('are listed with everything that clients show, parameters as they are passed', async () => {
    const url = await start({ tools: [priced] });
    for (const client of await bothEras(url)) {
      const { tools } = await client.request('tools/list');
      expect(tools).toEqual([
        {
          name: 'price',
          title: 'Price of a flight',
          description: 'Says what a flight costs',
          inputSchema: expect.objectContaining({
            type: 'object',
            properties: { flight: { type: 'string' }, seats: expect.objectContaining({ default: 1 }) },
            required: ['flight'],
          }),
          outputSchema: expect.objectContaining({ type: 'object', required: ['euros'] }),
          annotations: { readOnlyHint: true, title: 'ignored beside a title' },
        },
      ]);
    }
  });

  it('give structured content beside text', async () => {
    const url = await start({ tools: [priced] });
    for (const client of await bothEras(url)) {
      const params = { name: 'price', arguments: { flight: 'KL1', seats: 2 } };
      expect(await client.request('tools/call', params)).toMatchObject({
        content: [{ type: 'text', text: '{"euros":160}' }],
        structuredContent: { euros: 160 },
      });
    }
  });

  it('answer bad arguments with text that a model can act on, and bad params with a protocol error', async () => {
    const url = await start({ tools: [priced] });
    for (const client of await bothEras(url)) {
      const bad = await client.request('tools/call', { name: 'price', arguments: { seats: 'two' } });
      expect(bad).toMatchObject({ isError: true });
      expect(bad.content[0].text).toMatch(/flight: .*seats: .*Call it again with corrected parameters/s);
      for (const params of [{ name: 'no_such_tool' }, { name: 'price', arguments: [] }, {}]) {
        expect(await client.request('tools/call', params)).toMatchObject({ code: -32602 });
      }
    }
  });

  it('are paged in an order that does not change, with cursors that nobody can make up', async () => {
    const names = Array.from({ length: 25 }, (_, index) => `tool_${String(index).padStart(2, '0')}`);
    const url = await start({ tools: [...names].reverse().map(plain), pageSize: 10 });
    for (const client of await bothEras(url)) {
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await client.request('tools/list', cursor === undefined ? {} : { cursor });
        expect(page.tools.length).toBeLessThanOrEqual(10);
        seen.push(...page.tools.map(({ name }: { name: string }) => name));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      expect(seen).toEqual(names);
      expect(await client.request('tools/list', { cursor: 'AAAA' })).toMatchObject({ code: -32602 });
    }
  });
});

describe('lists that change', () => {
  it('are told of once for a burst', async () => {
    const tools = createMcpRegistry<Served>([plain('one')]);
    const url = await start({ tools, listChanged: 20 });
    const session = await openSession(url);
    const stream = await session.get();
    const listening = await stateless(url, 'subscriptions/listen', {
      notifications: { toolsListChanged: true },
    });
    await listening.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    for (let index = 0; index < 20; index++) tools.set([plain('one'), plain(`two_${index}`)]);

    const told = ({ method }: { method?: string }) => method === 'notifications/tools/list_changed';
    await stream.until(told);
    await listening.until(told);
    const [client] = await bothEras(url);
    expect((await client.request('tools/list')).tools).toHaveLength(2);
    // The next thing on either stream is the next change: there was no second notice for the first.
    tools.set([plain('three')]);
    expect(await stream.next()).toMatchObject({ message: { method: 'notifications/tools/list_changed' } });
    expect(await listening.next()).toMatchObject({ message: { method: 'notifications/tools/list_changed' } });
    stream.drop();
    listening.drop();
  });

  it('are declared as such only when they can', async () => {
    const fixed = await start({ tools: [plain('one')] });
    const [, client] = await bothEras(fixed);
    expect((await client.request('server/discover')).capabilities).toEqual({ tools: {}, logging: {} });
  });
});

describe('prompts', () => {
  const review = createMcpPrompt('review')
    .description('Reviews code')
    .title('Review')
    .arguments(
      z.object({
        language: z.string().describe('Which language'),
        tone: z.enum(['kind', 'harsh']).optional(),
      }),
    )
    .completes({
      language: ['typescript', 'tcl', 'python'],
      tone: function* (value, { arguments: { language } }) {
        return [`${value}-${language}`];
      },
    })
    .elicits({ focus: z.object({ topic: z.string() }) })
    .messages(function* ({ language, tone }, ctx) {
      const answer = yield* ctx.elicit('focus', { message: 'What about?' });
      const topic = answer.action === 'accept' ? answer.content.topic : 'all of it';
      return {
        description: `${language} review`,
        messages: [{ role: 'user', content: { type: 'text', text: `${tone ?? 'kind'}: ${topic}` } }],
      };
    });

  it('are listed with their arguments, completed, and may ask before they speak', async () => {
    const url = await start({ tools: [], prompts: [review] });
    for (const client of await bothEras(url)) {
      expect((await client.request('prompts/list')).prompts).toEqual([
        {
          name: 'review',
          title: 'Review',
          description: 'Reviews code',
          arguments: [
            { name: 'language', description: 'Which language', required: true },
            { name: 'tone', required: false },
          ],
        },
      ]);
      const complete = (name: string, value: string) =>
        client.request('completion/complete', {
          ref: { type: 'ref/prompt', name: 'review' },
          argument: { name, value },
          context: { arguments: { language: 'tcl' } },
        });
      expect((await complete('language', 'T')).completion).toEqual({
        values: ['typescript', 'tcl'],
        total: 2,
        hasMore: false,
      });
      expect((await complete('tone', 'x')).completion.values).toEqual(['x-tcl']);
      expect((await complete('nothing', 'x')).completion.values).toEqual([]);
      expect(await client.request('prompts/get', { name: 'review', arguments: {} })).toMatchObject({
        code: -32602,
      });
      expect(await client.request('prompts/get', { name: 'nobody' })).toMatchObject({ code: -32602 });
    }
    const params = { name: 'review', arguments: { language: 'tcl' } };
    const [, modern] = await bothEras(url);
    const asked = await modern.request('prompts/get', params);
    expect(asked).toMatchObject({ resultType: 'input_required', inputRequests: { focus: {} } });
    const { requestState } = asked;
    const inputResponses = { focus: { action: 'accept', content: { topic: 'names' } } };
    expect(await modern.request('prompts/get', { ...params, requestState, inputResponses })).toMatchObject({
      description: 'tcl review',
      messages: [{ role: 'user', content: { type: 'text', text: 'kind: names' } }],
    });
  });
});

describe('resources', () => {
  let watching = 0;
  let change: (() => void) | undefined;
  const log = createMcpResource('app://log', 'Timeline')
    .about({ mimeType: 'text/plain', title: 'Log', size: 3 })
    .watch(function* (_uri, changed) {
      watching += 1;
      change = changed;
      try {
        yield* suspend();
      } finally {
        watching -= 1;
      }
    })
    .read(function* () {
      return 'all';
    });
  const logo = createMcpResource('app://logo', 'A picture')
    .about({ mimeType: 'image/png' })
    .read(function* () {
      return new Uint8Array([1, 2, 3]);
    });
  const user = createMcpResourceTemplate('app://users/{id}', 'One user')
    .completes({ id: ['ada', 'grace'] })
    .lists(function* () {
      return [{ uri: 'app://users/ada', name: 'ada' }];
    })
    .read(function* ({ id }, _ctx, uri) {
      return `${id} at ${uri}`;
    });

  it('are listed without those of a template whose list fails', async () => {
    const broken = createMcpResourceTemplate('app://rooms/{id}', 'One room')
      .lists(function* () {
        throw new Error('no rooms today');
      })
      .read(function* ({ id }) {
        return id;
      });
    const url = await start({ tools: [], resources: [broken, log, user] });
    for (const client of await bothEras(url)) {
      const { resources } = await client.request('resources/list');
      expect(resources).toMatchObject([{ uri: 'app://log' }, { uri: 'app://users/ada' }]);
    }
  });

  it('are listed, read by URI and by template, and not found in the words of their era', async () => {
    const url = await start({ tools: [], resources: [log, logo, user] });
    for (const client of await bothEras(url)) {
      expect((await client.request('resources/list')).resources).toEqual([
        {
          uri: 'app://log',
          name: 'log',
          description: 'Timeline',
          mimeType: 'text/plain',
          title: 'Log',
          size: 3,
        },
        { uri: 'app://logo', name: 'logo', description: 'A picture', mimeType: 'image/png' },
        { uri: 'app://users/ada', name: 'ada' },
      ]);
      expect((await client.request('resources/templates/list')).resourceTemplates).toMatchObject([
        { uriTemplate: 'app://users/{id}', description: 'One user' },
      ]);
      const read = (uri: string) => client.request('resources/read', { uri });
      expect((await read('app://log')).contents).toEqual([
        { uri: 'app://log', mimeType: 'text/plain', text: 'all' },
      ]);
      expect((await read('app://logo')).contents).toEqual([
        { uri: 'app://logo', mimeType: 'image/png', blob: 'AQID' },
      ]);
      expect((await read('app://users/a%20b')).contents).toMatchObject([
        { text: 'a b at app://users/a%20b' },
      ]);
      expect(await read('app://nothing')).toMatchObject({
        code: client.era === '2025' ? -32002 : -32602,
        data: { uri: 'app://nothing' },
      });
      const complete = (uri: string) =>
        client.request('completion/complete', {
          ref: { type: 'ref/resource', uri },
          argument: { name: 'id', value: 'a' },
        });
      expect((await complete('app://users/{id}')).completion.values).toEqual(['ada']);
      expect((await complete('app://logo')).completion.values).toEqual([]);
      expect(await complete('app://nothing')).toMatchObject({ code: -32602 });
    }
  });

  it('are watched while somebody is subscribed, and not a moment longer', async () => {
    const url = await start({ tools: [], resources: [log] });
    const session = await openSession(url);
    const stream = await session.get();
    await (await session.request(1, 'resources/subscribe', { uri: 'app://log' })).rest();
    const filter = { notifications: { resourceSubscriptions: ['app://log'] } };
    const listening = await stateless(url, 'subscriptions/listen', filter);
    await listening.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    await vi.waitFor(() => expect(watching).toBe(1));
    change?.();
    const updated = { method: 'notifications/resources/updated', params: { uri: 'app://log' } };
    expect((await stream.next())?.message).toMatchObject(updated);
    expect((await listening.next())?.message).toMatchObject(updated);

    await (await session.request(2, 'resources/unsubscribe', { uri: 'app://log' })).rest();
    expect(watching).toBe(1);
    listening.drop();
    await vi.waitFor(() => expect(watching).toBe(0));
    const missing = await session.request(3, 'resources/subscribe', { uri: 'app://nothing' });
    expect((await missing.next())?.message?.error).toMatchObject({ code: -32002 });
    stream.drop();
  });
});

it('says in both eras what it does not know', async () => {
  const url = await start({ tools: [] });
  for (const client of await bothEras(url)) {
    for (const method of ['no/such/method', 'prompts/list', 'resources/read', 'completion/complete']) {
      expect(await client.request(method, { name: 'x', uri: 'x' })).toMatchObject({ code: -32601 });
    }
  }
});

it('tells a client which capability is missing before any code of the tool runs', async () => {
  let ran = false;
  const needy = createMcpTool('needy')
    .description('Needs a model with tools')
    .parameters(z.object({}))
    .requires({ sampling: { tools: true } })
    .elicits({})
    .execute(function* () {
      ran = true;
      return 'ran';
    });
  const url = await start({ tools: [needy] });
  const session = await openSession(url, { sampling: {} });
  const [result] = await (await session.request(1, 'tools/call', { name: 'needy' })).rest();
  expect(result?.result.content[0].text).toContain('sampling.tools');
  const modern = await stateless(url, 'tools/call', { name: 'needy', _meta: envelope({ sampling: {} }) });
  expect(modern.status).toBe(400);
  expect((await modern.next())?.message?.error).toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { sampling: { tools: {} } } },
  });
  expect(ran).toBe(false);
});
