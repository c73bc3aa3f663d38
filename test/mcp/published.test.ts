import { once } from 'node:events';
import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { createMcpTool } from 'parley-mcp';
import type { McpServerOptions } from 'parley-mcp/server';
import { createMemoryStore } from 'parley-mcp/stores';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { answerForm, decline } from '#src/panel-port/index.ts';
import { openTab, questionOn } from './kit/page-tab.ts';
import { PATIENT, usePublishing } from './kit/publishing.ts';
import { openSession, type Reply, type Session2025 } from './kit/wire.ts';

const { start, at: ownAddress } = usePublishing();
afterEach(() => {
  vi.useRealTimers();
});

interface Asked {
  readonly session: Session2025;
  readonly reply: Reply;
  readonly id: string | number;
  readonly url: string;
  readonly message: string;
}

/** Calls the tool as a client that can open pages only, and waits until it is asked to open one. */
async function asked(at: URL, headers: Record<string, string> = {}): Promise<Asked> {
  const session = await openSession(at, { elicitation: { url: {} } }, headers);
  const reply = await session.request(1, 'tools/call', { name: 'pick_seat', arguments: {} });
  return { session, reply, ...(await page(reply)) };
}

async function page(reply: Reply): Promise<Pick<Asked, 'id' | 'url' | 'message'>> {
  const { id, params } = await reply.until(({ method }) => method === 'elicitation/create');
  expect(params).toMatchObject({ mode: 'url', elicitationId: expect.any(String) });
  return { id: id ?? 0, url: params.url, message: params.message };
}

/** What a browser gets that knows the page by another name and port. */
async function reach(url: string, headers: OutgoingHttpHeaders, body?: string): Promise<IncomingMessage> {
  const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }).end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

describe('a question to a client that opens pages and has no forms', () => {
  it('is a page of ours, where it is answered; what is asked next is asked there, too', async () => {
    const { url: at } = await start();
    const { session, reply, id, url, message } = await asked(at);
    expect(message).toMatch(/^Which row\?/);
    const [code = ''] = /[2-9A-HJ-NP-Z]{3}-[2-9A-HJ-NP-Z]{3}/.exec(message) ?? [];
    const tab = openTab();
    const welcome = await (await tab.get(url)).text();
    expect(welcome).toContain(code);
    expect(welcome).toContain('Pick a &#60;seat&#62;');
    expect(welcome).toContain('mcp client');
    expect((await tab.post(url)).status).toBe(303);
    expect(await (await tab.get(url)).text()).toContain(code);
    await session.answer(id, { action: 'accept' });
    const first = await questionOn(tab, url);
    await tab.say(url, answerForm({ questionId: first.id, attempt: 1, content: { row: 4 } }));
    await vi.waitFor(async () => expect((await questionOn(tab, url)).message).toBe('Which dish?'));
    const next = await questionOn(tab, url);
    await tab.say(url, decline({ questionId: next.id }));
    const { result, method } = await reply.until(
      (one) => one.result !== undefined || one.method === 'elicitation/create',
    );
    expect(method).toBeUndefined();
    expect(JSON.parse(result.content[0].text)).toEqual([4, 'decline']);
  });

  it('takes one answer that fits, for the question that is open, and nothing else that its page says', async () => {
    const { url: at } = await start();
    const { session, reply, id, url } = await asked(at);
    const tab = openTab();
    await tab.post(url);
    await session.answer(id, { action: 'accept' });
    const { id: questionId } = await questionOn(tab, url);
    const evil = JSON.parse('{"__proto__": {"row": 4}}') as Record<string, number>;
    await tab.say(url, { parley: 'parley/1', name: 'no such thing', body: {} });
    await tab.say(url, answerForm({ questionId: 'another', attempt: 1, content: { row: 1 } }));
    await tab.say(url, answerForm({ questionId, attempt: 7, content: { row: 2 } }));
    await tab.say(url, answerForm({ questionId, attempt: 1, content: evil }));
    await vi.waitFor(async () => expect(await questionOn(tab, url)).toMatchObject({ attempt: 2 }), PATIENT);
    await tab.say(url, answerForm({ questionId, attempt: 1, content: { row: 3 } }));
    await tab.say(url, answerForm({ questionId, attempt: 2, content: { row: 4 } }));
    await tab.say(url, answerForm({ questionId, attempt: 2, content: { row: 5 } }));
    await vi.waitFor(async () => expect((await questionOn(tab, url)).message).toBe('Which dish?'), PATIENT);
    // Late: its question is closed.
    await tab.say(url, answerForm({ questionId, attempt: 2, content: { row: 6 } }));
    await tab.say(url, decline({ questionId: (await questionOn(tab, url)).id }));
    const { result } = await reply.until((one) => one.result !== undefined);
    expect(JSON.parse(result.content[0].text)).toEqual([4, 'decline']);
  });

  it('tells the client that its page has served its purpose', async () => {
    const { url: at } = await start();
    const { session, reply, id, url } = await asked(at);
    await session.answer(id, { action: 'accept' });
    const tab = openTab();
    await tab.post(url);
    const { id: questionId } = await questionOn(tab, url);
    await tab.say(url, answerForm({ questionId, attempt: 1, content: { row: 4 } }));
    const told = await reply.until(({ method }) => method === 'notifications/elicitation/complete');
    expect(told.params).toEqual({ elicitationId: expect.stringContaining('elicit-1') });
  });

  it('is sent on another page when the person closes the first without an answer', async () => {
    const { url: at } = await start();
    const { session, reply, id, url } = await asked(at);
    await session.answer(id, { action: 'accept' });
    const closed = openTab();
    await closed.post(url);
    expect((await questionOn(closed, url)).message).toBe('Which row?');
    // Nothing is heard of a tab that was closed: for so long it has asked for nothing.
    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
    const next = await page(reply);
    clock.mockRestore();
    expect(next.url).not.toBe(url);
    await session.answer(next.id, { action: 'decline' });
    expect((await reply.until((one) => one.result !== undefined)).result.isError).toBe(true);
  });

  it.each(['decline', 'cancel'])(
    'can be refused in the client with %s; its link is worth nothing then',
    async (action) => {
      const { url: at } = await start();
      const { session, reply, id, url } = await asked(at);
      await session.answer(id, { action });
      const { result } = await reply.until((one) => one.result !== undefined);
      expect(result.isError).toBe(true);
      expect((await openTab().get(url)).status).toBe(410);
    },
  );
});

describe('a task of a client that opens pages and has no forms', () => {
  const order = createMcpTool('order')
    .description('Asks for a row')
    .parameters(z.object({}))
    .durable()
    .task()
    .elicits({ seat: z.object({ row: z.int() }) })
    .execute(function* (_, ctx) {
      return `row ${(yield* ctx.elicit.strict('seat', { message: 'Which row?' })).row}`;
    });

  it.each<[string, () => Partial<McpServerOptions>]>([
    ['in memory', () => ({})],
    ['in a store', () => ({ state: createMemoryStore() })],
  ])('%s waits with its question until its client can be sent to a page', async (_, options) => {
    const { url: at } = await start({}, { tools: [order], ...options() });
    const session = await openSession(at, { elicitation: { url: {} } });
    const begin = { name: 'order', arguments: {}, task: {} };
    const [created] = await (await session.request(1, 'tools/call', begin)).rest();
    const { taskId } = created?.result.task ?? {};
    const status = async (id: number) => {
      const [got] = await (await session.request(id, 'tasks/get', { taskId })).rest();
      return got?.result.status;
    };
    let polls = 2;
    await vi.waitFor(async () => expect(await status(polls++)).toBe('input_required'), PATIENT);
    const reply = await session.request(1000, 'tasks/result', { taskId });
    const { id, url } = await page(reply);
    await session.answer(id, { action: 'accept' });
    const tab = openTab();
    await tab.post(url);
    const { id: questionId } = await questionOn(tab, url);
    await tab.say(url, answerForm({ questionId, attempt: 1, content: { row: 4 } }));
    const { result } = await reply.until((one) => one.result !== undefined);
    expect(result).toMatchObject({ content: [{ text: 'row 4' }] });
  });
});

describe('a link to a page', () => {
  it('is neither used nor answered by whoever looks at it only', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    for (const method of ['GET', 'HEAD']) await fetch(url, { method });
    expect((await openTab().get(`${url}?app`)).status).toBe(405);
    const tab = openTab();
    expect((await tab.post(url)).status).toBe(303);
    expect((await tab.get(url)).status).toBe(200);
  });

  it('belongs to the first browser that goes on, and answers nothing for any other', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const [first, second] = [openTab(), openTab()];
    const claimed = await first.post(url);
    expect(claimed.headers.get('set-cookie')).toMatch(/; Path=\/ask\/[\w-]{32}; .*HttpOnly; SameSite=Lax$/);
    expect((await second.get(url)).status).toBe(403);
    expect((await second.post(url)).status).toBe(403);
    const { id } = await questionOn(first, url);
    const answer = answerForm({ questionId: id, attempt: 1, content: { row: 1 } });
    expect((await second.say(url, answer)).status).toBe(403);
    expect((await openTab({ cookie: 'parley_page=x' }).say(url, answer)).status).toBe(403);
    expect((await questionOn(first, url)).message).toBe('Which row?');
  });

  it('is of one browser, however many go on at once', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const all = await Promise.all(Array.from({ length: 50 }, () => openTab().post(url)));
    expect(all.filter(({ status }) => status === 303)).toHaveLength(1);
  });

  it('takes nothing from another site, nor under another name', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const tab = openTab();
    for (const origin of ['https://evil.example', 'null', `http://localhost:${at.port}`]) {
      expect((await tab.post(url, undefined, { origin })).status, origin).toBe(405);
    }
    expect((await fetch(url, { method: 'POST' })).status).toBe(405);
    for (const host of ['evil.example', `localhost.evil.example:${at.port}`, '0.0.0.0', 'a b'])
      expect((await reach(url, { host })).statusCode, host).toBe(404);
  });

  it.each(['localhost:8123', 'app.localhost', '127.8.9.1:1', '[::1]:8123'])(
    'is answered through a forwarded port, as %s',
    async (host) => {
      const { url: at } = await start();
      const { url } = await asked(at);
      const origin = `http://${host}`;
      expect((await reach(url, { host, origin: new URL(url).origin }, '{}')).statusCode).toBe(405);
      expect((await reach(url, { host, origin }, '{}')).statusCode).toBe(403);
      const { statusCode, headers } = await reach(url, { host, origin, 'sec-fetch-user': '?1' }, '{}');
      expect(statusCode).toBe(303);
      const cookie = headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      const more = { host, origin, cookie, 'content-type': 'application/json' };
      const watched = await reach(`${url}?watch`, more, '{"ticket":"-","input":{},"after":0}');
      expect(await json(watched)).toMatchObject({ state: 'open' });
    },
  );

  it('is answered through a tunnel, where its browser says that it comes from the page itself', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const tunnel = { host: at.host, origin: 'https://abc-8123.tunnel.example', 'sec-fetch-user': '?1' };
    for (const site of ['cross-site', 'same-site', 'none'])
      expect((await reach(url, { ...tunnel, 'sec-fetch-site': site }, '{}')).statusCode, site).toBe(405);
    expect((await reach(url, { ...tunnel, 'sec-fetch-site': 'same-origin' }, '{}')).statusCode).toBe(303);
  });

  it('can be opened for ten minutes', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const now = Date.now();
    const clock = vi.spyOn(Date, 'now').mockReturnValue(now + 590_000);
    expect((await openTab().get(url)).status).toBe(200);
    clock.mockReturnValue(now + 600_000);
    expect((await openTab().get(url)).status).toBe(410);
    clock.mockRestore();
  });

  it('is nothing when it was made up, or its call is over', async () => {
    const { url: at } = await start();
    const { session, url } = await asked(at);
    for (const made of ['', 'x', '../mcp', '__proto__', 'constructor'])
      expect((await openTab().get(`${at.origin}/ask/${made}`)).status).toBeGreaterThanOrEqual(404);
    await session.delete();
    await vi.waitFor(async () => expect((await openTab().get(url)).status).toBe(410));
  });

  it('shows a page that reaches nothing, in a page that runs our script only', async () => {
    const { url: at } = await start();
    const { url } = await asked(at);
    const tab = openTab();
    await tab.post(url);
    const policyOf = async (path: string) =>
      (await tab.get(path)).headers.get('content-security-policy') ?? '';
    expect(await policyOf(`${url}?app`)).toMatch(/default-src 'none'.*sandbox allow-scripts/);
    expect(await policyOf(`${url}?app`)).not.toContain('connect-src');
    expect(await policyOf(url)).toMatch(/script-src 'nonce-[^']+'; .*frame-ancestors 'none'/);
    for (const path of [url, `${url}?app`]) {
      const { headers } = await tab.get(path);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
    }
  });
});

describe('beyond this machine', () => {
  const tokens = ['ada', 'bob'].map((token) => ({ token, principal: { name: token } }));

  it('nothing is published where nobody logs in: such a client cannot call what asks', async () => {
    const { url } = await start({ tokens, publish: { at: 'https://tools.example' } });
    const session = await openSession(url, { elicitation: { url: {} } }, { authorization: 'Bearer ada' });
    const [listed] = await (await session.request(1, 'tools/list')).rest();
    expect(listed?.result.tools).toEqual([]);
  });

  it('nor without TLS, whoever logs in', async () => {
    const publish = { at: 'http://tools.example', login: async () => 'ada' };
    const { url } = await start({ tokens, publish });
    const session = await openSession(url, { elicitation: { url: {} } }, { authorization: 'Bearer ada' });
    const [listed] = await (await session.request(1, 'tools/list')).rest();
    expect(listed?.result.tools).toEqual([]);
  });

  it('a link answers only for the caller it was made for', async () => {
    const login = async ({ headers }: { headers: Readonly<Record<string, unknown>> }) =>
      headers['x-user'] as string | undefined;
    const { url: served } = await start({ tokens, publish: { at: ownAddress, login } });
    const { url } = await asked(served, { authorization: 'Bearer ada' });
    expect((await openTab().get(url)).status).toBe(401);
    expect((await openTab().post(url)).status).toBe(401);
    expect((await openTab({ 'x-user': 'bob' }).get(url)).status).toBe(403);
    expect((await openTab({ 'x-user': 'bob' }).post(url)).status).toBe(403);
    expect((await openTab({ 'x-user': 'ada' }).post(url)).status).toBe(303);
  });
});
