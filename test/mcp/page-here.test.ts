import { createMcpTool } from 'parley-mcp';
import { createMcpServer, type McpServer, type McpServerOptions } from 'parley-mcp/server';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { answerForm, decline } from '#src/panel-port/index.ts';
import { type Linked, linked } from './kit/channel.ts';
import { startServer } from './kit/in-process.ts';
import { type Person, PRESSED, person, reach, readRedirect, submit } from './kit/person.ts';
import { envelope, openSession, type Session2025 } from './kit/wire.ts';

const seat = createMcpTool('seat')
  .description('Asks for a row.')
  .parameters(z.object({ who: z.string().optional() }))
  .output(z.object({ row: z.int() }))
  .requires({ elicitation: true })
  .elicits({ seat: z.object({ row: z.int() }) })
  .execute(function* (_, ctx) {
    return { row: (yield* ctx.elicit.strict('seat', { message: 'Which row?' })).row };
  });

const quick = createMcpTool('quick')
  .description('Says hello.')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    return 'hello';
  });

let server: McpServer | undefined;
let one: Person | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await server?.close();
  one?.page.close();
});

interface Started extends Linked {
  readonly person: Person;
  call(name: string, args?: object, more?: object): ReturnType<Linked['request']>;
}

const NAMED = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'plain', version: '1' },
};

/** A client that has no forms, and the person before it. */
async function start(
  options: Parameters<typeof person>[0] = {},
  more: Partial<McpServerOptions> = {},
  said: object = {},
): Promise<Started> {
  one = person(options);
  server = createMcpServer({ name: 'test', version: '1.0.0', tools: [seat, quick], page: one.page, ...more });
  const client = await linked(server);
  await client.request('initialize', { ...NAMED, ...said });
  const call: Started['call'] = (name, args = {}, params = {}) =>
    client.request('tools/call', { name, arguments: args, ...params });
  return { ...client, person: one, call };
}

/** The id to come back by. */
function idIn(text: string): string {
  return /parley_result \{"id":"(\w+)"\}/.exec(text)?.[1] ?? '';
}

async function answer(at: Person, row: number): Promise<void> {
  const tab = await at.tab();
  const [page] = await tab.asking();
  if (!page) throw new Error('nothing is asked');
  const { id: questionId } = await tab.question(page);
  await tab.say(page, answerForm({ questionId, attempt: 1, content: { row } }));
}

describe('a client without forms, where this process has a page', () => {
  it('is listed the tools that ask, without output schemas, and the tool to come back by', async () => {
    const { request } = await start();
    const { result } = await request('tools/list', {});
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual([
      'quick',
      'seat',
      'parley_result',
    ]);
    expect(JSON.stringify(result.tools)).not.toContain('outputSchema');
  });

  it('has its person asked in their browser, and gets the result', async () => {
    const { call, person: at } = await start();
    const calling = call('seat');
    await answer(at, 4);
    expect((await calling).result).toMatchObject({ structuredContent: { row: 4 } });
    expect(at.opened()).toHaveLength(1);
  });

  it('asks on the page in the later era as well', async () => {
    const { request, person: at } = await start();
    const calling = request('tools/call', { name: 'seat', arguments: {}, _meta: envelope({}) });
    await answer(at, 4);
    expect((await calling).result).toMatchObject({ structuredContent: { row: 4 }, resultType: 'complete' });
  });

  it('has a question declined on the page, and one answer that does not fit asked again', async () => {
    const { call, person: at } = await start();
    const calling = call('seat');
    const tab = await at.tab();
    const [page] = await tab.asking();
    const first = await tab.question(page as never);
    await tab.say(
      page as never,
      answerForm({ questionId: first.id, attempt: 1, content: { row: 'x' } as never }),
    );
    let again = await tab.question(page as never);
    while (again.attempt < 2) again = await tab.question(page as never);
    await tab.say(page as never, decline({ questionId: first.id }));
    expect((await calling).result.isError).toBe(true);
  });

  it('shows the questions of two calls in one tab, each on a page of its own', async () => {
    const { call, person: at } = await start();
    const calls = [call('seat', { who: 'ann' }), call('seat', { who: 'bob' })];
    const tab = await at.tab();
    const pages = await tab.asking(2);
    expect(new Set(pages.map(({ id }) => id)).size).toBe(2);
    for (const [index, page] of pages.entries()) {
      const { id: questionId } = await tab.question(page);
      await tab.say(page, answerForm({ questionId, attempt: 1, content: { row: index } }));
    }
    const rows = (await Promise.all(calls)).map(({ result }) => result.structuredContent.row);
    expect(rows).toEqual([0, 1]);
    expect(at.opened()).toHaveLength(1);
  });

  it('has the question withdrawn that it cancels', async () => {
    const { notify, request, person: at } = await start();
    void request('tools/call', { name: 'seat', arguments: {} }, 'seat');
    const tab = await at.tab();
    await tab.asking();
    notify('notifications/cancelled', { requestId: 'seat', reason: 'Esc' });
    for (let at = 0, open = true; open; ) {
      const listed = await tab.list(at);
      at = listed.at;
      open = listed.pages.some((page) => page.open);
    }
  });
});

describe('a call that lasts longer than its client waits', () => {
  it('is answered with an id, by which its result comes, as often as it is asked for', async () => {
    const { call, person: at } = await start({ held: 0 });
    const early = (await call('seat')).result;
    expect(early.isError).toBeUndefined();
    const [{ text }] = early.content;
    expect(text).toMatch(/^NOT DONE YET, and no failure/);
    const id = idIn(text);
    const still = (await call('parley_result', { id })).result.content[0].text;
    expect(idIn(still)).toBe(id);
    await answer(at, 4);
    for (let result = {}; !('structuredContent' in result); ) {
      ({ result } = await call('parley_result', { id }));
    }
    for (const given of [id, ` ${id.toUpperCase()} `])
      expect((await call('parley_result', { id: given })).result.structuredContent).toEqual({ row: 4 });
  });

  it('is not begun again by the same call, and is by another', async () => {
    const { call, person: at } = await start({ held: 0 });
    const first = idIn((await call('seat', { who: 'ann' })).result.content[0].text);
    expect(idIn((await call('seat', { who: 'ann' })).result.content[0].text)).toBe(first);
    const other = idIn((await call('seat', { who: 'bob' })).result.content[0].text);
    expect(other).not.toBe(first);
    const tab = await at.tab();
    expect(await tab.asking(2)).toHaveLength(2);
  });

  it('says where the page is, and holds no key to it', async () => {
    const { call, person: at } = await start({ held: 0 });
    await call('seat');
    await at.tab();
    const { text } = (await call('seat')).result.content[0];
    expect(text).toMatch(/If they do not see it: http:\/\/parley\.localhost:\d+\/ /);
  });

  it('is answered at once where no browser opens, with a link to open by hand', async () => {
    const { call } = await start({ how: { kind: 'by hand' } });
    const { text } = (await call('seat')).result.content[0];
    const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/open\?[\w-]+/.exec(text) ?? [];
    const { origin, search } = new URL(link);
    expect((await submit(`${origin}/open`, search.slice(1))).status).toBe(403);
    const entered = await submit(`${origin}/open`, search.slice(1), PRESSED);
    expect(entered.text).toContain('const given = "');
    expect((await submit(`${origin}/open`, search.slice(1), PRESSED)).status).toBe(410);
  });

  it('is unknown by an id that is none', async () => {
    const { call } = await start();
    expect((await call('parley_result', { id: 'none' })).result).toMatchObject({ isError: true });
    expect((await call('parley_result', { id: 7 })).error).toMatchObject({ code: -32602 });
  });
});

describe('who waits beside the person', () => {
  it('hears where the page is, as soon as that is known', async () => {
    const { call, until } = await start({}, { heartbeat: 600_000 });
    void call('seat', {}, { _meta: { progressToken: 'p' } });
    await until(({ params }) => /see it: http:\/\/parley\.localhost:\d+\/$/.test(params?.message ?? ''));
  });

  it('hears of the link where nothing opens a browser', async () => {
    const info = { clientInfo: { name: 'gemini-cli-mcp-client', version: '1' } };
    const { call, until } = await start({ how: { kind: 'by hand' } }, { heartbeat: 600_000 }, info);
    void call('seat', {}, { _meta: { progressToken: 'p' } });
    await until(({ params }) =>
      /see it: http:\/\/127\.0\.0\.1:\d+\/open\?[\w-]{32}$/.test(params?.message ?? ''),
    );
  });

  it('is another program, whose same call is one of its own', async () => {
    const { call, person: at } = await start({ held: 0 });
    const first = idIn((await call('seat')).result.content[0].text);
    const other = await linked(server as McpServer);
    await other.request('initialize', { ...NAMED, clientInfo: { name: 'other', version: '1' } });
    const second = await other.request('tools/call', { name: 'seat', arguments: {} });
    expect(idIn(second.result.content[0].text)).not.toBe(first);
    const strange = await other.request('tools/call', { name: 'parley_result', arguments: { id: first } });
    expect(strange.result.isError).toBe(true);
    await (await at.tab()).asking(2);
  });
});

describe('a host that says that it shows pages', () => {
  const shows = { capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } } };

  it('and shows none is answered early once, and has its person asked in their browser from then on', async () => {
    const { call, person: at } = await start({}, { apps: { patience: 0 } }, shows);
    const early = (await call('seat', { who: 'ann' })).result;
    const id = idIn(early.content[0].text);
    await answer(at, 4);
    expect((await call('parley_result', { id })).result.structuredContent).toEqual({ row: 4 });
    const calling = call('seat', { who: 'bob' });
    await answer(at, 5);
    expect((await calling).result.structuredContent).toEqual({ row: 5 });
  });
});

describe('over HTTP', () => {
  it('a client without forms has its person asked in their browser, and by its token alone comes back', async () => {
    one = person({ held: 0 });
    const tokens = ['ann', 'bob'].map((name) => ({ token: name, principal: { name } }));
    const served = await startServer({ tools: [seat], page: one.page }, { tokens });
    try {
      const [ann, bob] = await Promise.all(
        ['ann', 'bob'].map((name) => openSession(served.url, {}, { authorization: `Bearer ${name}` })),
      );
      const ask = async (of: Session2025 | undefined, name: string, args: object = {}) => {
        const reply = await of?.request(1, 'tools/call', { name, arguments: args });
        return (await reply?.until(({ result }) => result !== undefined))?.result;
      };
      const id = idIn((await ask(ann, 'seat')).content[0].text);
      await answer(one, 4);
      expect((await ask(bob, 'parley_result', { id })).isError).toBe(true);
      expect((await ask(ann, 'parley_result', { id })).structuredContent).toEqual({ row: 4 });
    } finally {
      await served.close();
    }
  });
});

describe('where no page may be', () => {
  it('a tool that asks is neither listed nor run, as ever', async () => {
    const { request, call } = await start({}, { page: undefined });
    const { result } = await request('tools/list', {});
    expect(result.tools.map(({ name }: { name: string }) => name)).toEqual(['quick']);
    expect((await call('seat')).result.isError).toBe(true);
  });

  it('a host that is known to show no pages is told at once that nobody can be asked', async () => {
    const said = {
      clientInfo: { name: 'qwen-cli-mcp-client-parley', version: '1' },
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': {} } },
    };
    const { call } = await start({}, { page: undefined, apps: { patience: 0 } }, said);
    expect((await call('seat')).result).toMatchObject({ isError: true });
  });

  it('a client that has forms is asked those, and is listed output schemas', async () => {
    const { request, person: at } = await start({}, {}, { capabilities: { elicitation: {} } });
    const { result } = await request('tools/list', {});
    expect(JSON.stringify(result.tools)).toContain('outputSchema');
    expect(JSON.stringify(result.tools)).not.toContain('parley_result');
    expect(at.opened()).toEqual([]);
  });
});

describe('an attack on the page', () => {
  async function asked() {
    const started = await start({ held: 0 });
    await started.call('seat');
    const tab = await started.person.tab();
    const [page] = await tab.asking();
    if (!page) throw new Error('nothing is asked');
    return { ...started, tab, page };
  }

  it('by another user finds the key in a file of its owner alone, which no command line shows', async () => {
    const { person: at } = await asked();
    const [opened = ''] = at.opened();
    expect(opened).toMatch(/^file:/);
    expect(readRedirect(opened).mode).toBe(0o600);
  });

  it('by a key that is guessed, or was used, gets nothing', async () => {
    const { person: at, tab } = await asked();
    const { to, key } = readRedirect(at.opened()[0] ?? '');
    for (const given of ['', 'x'.repeat(32), key]) {
      const response = await submit(to, given);
      expect(response.status).toBe(410);
      expect(response.text).not.toContain(tab.secret);
    }
  });

  it('by DNS that is rebound is not known, whatever it asks for', async () => {
    const { tab, page } = await asked();
    for (const path of ['/', '/open', `/frame/${page.id}`, '/list/0']) {
      const headers = { host: `evil.example:${new URL(tab.origin).port}` };
      expect((await reach(`${tab.origin}${path}`, { headers })).status).toBe(404);
    }
  });

  it('by a preview that fetches the address learns how many questions there are, and opens none', async () => {
    const { tab, person: at } = await asked();
    const text = await (await fetch(`${tab.origin}/`)).text();
    expect(text).toContain('1 question');
    expect(text).not.toContain('Which row?');
    expect(text).not.toContain(tab.secret);
    expect((await fetch(`${tab.origin}/open?${'x'.repeat(32)}`)).status).toBe(200);
    expect(at.opened()).toHaveLength(1);
  });

  it('by the agent with curl is told to leave the answer to the person', async () => {
    const { tab, page, person: at } = await asked();
    const { origin } = tab;
    for (const [path, headers] of [
      ['/', { origin }],
      ['/list/0', { origin }],
      ['/list/0', { origin, 'x-parley-tab': 'guessed' }],
      [`/send/${page.id}`, { origin }],
      [`/send/${page.id}`, { 'x-parley-tab': tab.secret }],
    ] as const) {
      const response = await tab.post(path, { ticket: '-', messages: [] }, headers as Record<string, string>);
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('do not answer for the user');
    }
    const { to } = readRedirect(at.opened()[0] ?? '');
    expect((await submit(to, '', {})).status).toBe(403);
  });

  it('by another page is refused for where it comes from', async () => {
    const { tab, page } = await asked();
    const headers = { origin: 'http://127.0.0.1:1', 'x-parley-tab': tab.secret };
    expect((await tab.post(`/send/${page.id}`, {}, headers)).status).toBe(403);
  });

  it('by a view has no way to its neighbour: its frame has no origin, no network and no secret', async () => {
    const { tab, page } = await asked();
    const frame = await fetch(`${tab.origin}/frame/${page.id}`);
    expect(frame.headers.get('content-security-policy')).toMatch(
      /default-src 'none'.*sandbox allow-scripts$/,
    );
    expect(await frame.text()).not.toContain(tab.secret);
    const outer = await (await fetch(`${tab.origin}/`)).text();
    expect(outer).toContain("setAttribute('sandbox', 'allow-scripts')");
    // What it knows, its own name, opens nothing.
    expect(
      (await tab.post(`/watch/${page.id}`, { ticket: '-', input: {}, after: 0 }, { origin: 'null' })).status,
    ).toBe(403);
  });

  it('by a flood of questions is one tab, and a page for each', async () => {
    const { call, person: at } = await start({ held: 0 });
    await Promise.all(Array.from({ length: 150 }, (_, who) => call('seat', { who: String(who) })));
    const tab = await at.tab();
    expect(await tab.asking(150)).toHaveLength(150);
    expect(at.opened()).toHaveLength(1);
  });

  it('presses for the person: the page is opened in their own browser, again', async () => {
    const { tab, person: at } = await asked();
    await reach(`${tab.origin}/`, { method: 'POST', headers: { origin: tab.origin, ...PRESSED } });
    expect((await at.tab(2)).secret).toBe(tab.secret);
  });
});

describe('a channel whose client is gone', () => {
  it('is closed at once, though its person is asked on a page', async () => {
    one = person();
    server = createMcpServer({ name: 'test', version: '1.0.0', tools: [seat], page: one.page });
    const channel: Parameters<McpServer['connect']>[0] = {
      async start() {},
      async send() {},
      async close() {
        channel.onclose?.();
      },
    };
    const { closed } = await server.connect(channel);
    const say = (message: object) => channel.onmessage?.({ jsonrpc: '2.0', ...message } as never);
    say({ id: 1, method: 'initialize', params: NAMED });
    say({ id: 2, method: 'tools/call', params: { name: 'seat', arguments: {} } });
    await (await one.tab()).asking();
    vi.useFakeTimers();
    channel.onended?.();
    await closed;
  });
});
