import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { run, suspend } from 'effection';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CallsInFlight } from '#src/mcp/client/calls/in-flight.ts';
import { foreignTool, type ServerEntry, useMcpConnection } from '#src/mcp/client/index.ts';
import { type ServerLink, useLink } from '#src/mcp/client/link.ts';
import { boundedFetch } from '#src/mcp/http/bounded-fetch.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { listening } from '#test/listening.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const close of closing.splice(0)) await close();
});

interface Rpc {
  readonly id?: number;
  readonly method: string;
}

async function serving(
  answer: (req: IncomingMessage, res: ServerResponse, message: Rpc | undefined) => void,
): Promise<string> {
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    answer(req, res, text === '' ? undefined : JSON.parse(text));
  });
  return `http://127.0.0.1:${await listening(server)}/mcp`;
}

const http = (url: string): ServerEntry => ({ kind: 'http', name: 's', url, headers: {} });

/** What a server of 2025-11-25 with one tool answers. */
function answerOf({ id, method }: Rpc): object {
  const info = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 's', version: '1' },
  };
  const results: Readonly<Record<string, object>> = {
    initialize: info,
    ping: {},
    'tools/list': { tools: [{ name: 't', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'done' }] },
  };
  const result = results[method];
  return { jsonrpc: '2.0', id, ...(result ? { result } : { error: { code: -32601, message: 'unknown' } }) };
}

const json = (res: ServerResponse, status: number, body: object, headers = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** A server with sessions, which it forgets when it is told to. */
async function forgetful(status: number, refuses = () => false) {
  const sessions = new Set<unknown>();
  const calls: string[] = [];
  const url = await serving((req, res, message) => {
    if (req.method !== 'POST' || !message) return void res.writeHead(405).end();
    const error = { jsonrpc: '2.0', error: { code: -32000, message: 'Bad Request' }, id: null };
    if (message.method === 'initialize') {
      const id = randomUUID();
      sessions.add(id);
      return void json(res, 200, answerOf(message), { 'mcp-session-id': id });
    }
    if (!sessions.has(req.headers['mcp-session-id'])) return void json(res, status, error);
    if (message.id === undefined) return void res.writeHead(202).end();
    if (message.method === 'tools/call') calls.push('call');
    if (message.method === 'tools/call' && refuses()) return void json(res, status, error);
    json(res, 200, answerOf(message));
  });
  return { url, calls, forget: () => sessions.clear(), sessions };
}

describe('a server that has forgotten the session', () => {
  it.each([400, 404])('and says so with %i gets the call in a new one, at once', async (status) => {
    const { url, calls, forget } = await forgetful(status);
    await run(function* () {
      const connection = yield* useMcpConnection(http(url), { era: '2025' });
      yield* connection.client();
      const [offered] = connection.offers().tools;
      if (!offered) throw new Error('there is no tool');
      const call = () => runMcpTool(foreignTool(connection, offered), {}, createMockMcpClient());
      yield* call();
      forget();
      expect(JSON.stringify(yield* call())).toContain('done');
    });
    expect(calls).toHaveLength(2);
  });

  it('is not one that refuses the call itself: that is made once', async () => {
    const { url, calls, sessions } = await forgetful(400, () => true);
    await run(function* () {
      const connection = yield* useMcpConnection(http(url), { era: '2025' });
      yield* connection.client();
      const [offered] = connection.offers().tools;
      if (!offered) throw new Error('there is no tool');
      try {
        yield* runMcpTool(foreignTool(connection, offered), {}, createMockMcpClient());
        expect.unreachable();
      } catch (error) {
        expect(String(error)).toContain('Bad Request');
      }
    });
    expect([calls.length, sessions.size]).toEqual([1, 1]);
  });

  it.each([400, 404])('while it runs a task, and answers %i, is not told to run it again', async (status) => {
    const calls: string[] = [];
    const sessions = new Set<unknown>();
    const url = await serving((req, res, message) => {
      if (req.method !== 'POST' || !message) return void res.writeHead(405).end();
      const session = req.headers['mcp-session-id'];
      if (message.method === 'initialize') {
        const id = randomUUID();
        sessions.add(id);
        return void json(res, 200, answerOf(message), { 'mcp-session-id': id });
      }
      if (!sessions.has(session)) return void json(res, status, {});
      if (message.id === undefined) return void res.writeHead(202).end();
      if (message.method === 'tools/list') {
        const tool = { name: 't', inputSchema: { type: 'object' }, execution: { taskSupport: 'required' } };
        return void json(res, 200, { jsonrpc: '2.0', id: message.id, result: { tools: [tool] } });
      }
      if (message.method !== 'tools/call') return void json(res, 200, answerOf(message));
      calls.push('call');
      sessions.clear();
      const task = {
        taskId: '1',
        status: 'working',
        pollInterval: 100,
        ttl: null,
        createdAt: '',
        lastUpdatedAt: '',
      };
      json(res, 200, { jsonrpc: '2.0', id: message.id, result: { task } });
    });
    await run(function* () {
      const connection = yield* useMcpConnection(http(url), { era: '2025' });
      yield* connection.client();
      const [offered] = connection.offers().tools;
      if (!offered) throw new Error('there is no tool');
      try {
        yield* runMcpTool(foreignTool(connection, offered), {}, createMockMcpClient());
        expect.unreachable();
      } catch (error) {
        expect(String(error)).not.toContain('unreachable');
      }
    });
    expect(calls).toHaveLength(1);
  });
});

describe('a server of 2025-11-25 that does not answer what it does not know', () => {
  const silent = `
    require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
      const { id, method } = JSON.parse(line);
      if (globalThis.stuck || id === undefined) return;
      globalThis.stuck = method !== 'initialize' && !globalThis.began;
      if (globalThis.stuck) return console.error('stuck');
      globalThis.began = true;
      console.log(JSON.stringify((${answerOf})({ id, method })));
    });`;

  /** Opens while the clock runs as fast as it is looked at. */
  async function opened(entry: ServerEntry, asked: Promise<unknown>) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const { promise, resolve, reject } = Promise.withResolvers<ServerLink>();
    const none = () => {};
    const task = run(function* () {
      const link = yield* useLink({
        entry,
        calls: new CallsInFlight(),
        info: { name: 'p', version: '1' },
        era: undefined,
        log: ({ message }) => message.includes('stuck') && told(),
        hear: undefined,
        roots: undefined,
        changed: none,
        updated: none,
      });
      resolve(link);
      yield* suspend();
    });
    task.catch(reject);
    closing.push(() => task.halt());
    await Promise.race([asked, isStuck]);
    await vi.advanceTimersByTimeAsync(20_000);
    vi.useRealTimers();
    return await promise;
  }
  let told = () => {};
  const isStuck = new Promise<void>((resolve) => {
    told = resolve;
  });

  it('is spoken to as it knows in a new process', async () => {
    const entry = {
      kind: 'stdio',
      name: 's',
      command: process.execPath,
      args: ['-e', silent],
      env: {},
    } as const;
    expect((await opened(entry, isStuck)).era).toBe('2025');
  });

  it('is spoken to as it knows over HTTP', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const url = await serving((req, res, message) => {
      if (req.method !== 'POST' || !message) return void res.writeHead(405).end();
      if (message.method === 'server/discover') return resolve();
      if (message.id === undefined) return void res.writeHead(202).end();
      json(res, 200, answerOf(message));
    });
    expect((await opened(http(url), promise)).era).toBe('2025');
  });
});

it('which era a server speaks is known to the next that connects to it, until that is wrong', async () => {
  const asked: string[] = [];
  let isGone = false;
  const url = await serving((req, res, message) => {
    if (req.method !== 'POST' || !message) return void res.writeHead(405).end();
    asked.push(message.method);
    if (isGone) return void res.writeHead(500).end();
    if (message.id === undefined) return void res.writeHead(202).end();
    json(res, 200, answerOf(message));
  });
  const entry = http(url);
  const connect = () =>
    run(function* () {
      const connection = yield* useMcpConnection(entry);
      yield* connection.client();
    });
  const probes = () => asked.splice(0).filter((method) => method === 'server/discover').length;
  await connect();
  expect(probes()).toBe(1);
  await connect();
  expect(probes()).toBe(0);
  isGone = true;
  await expect(connect()).rejects.toThrow();
  isGone = false;
  await connect();
  expect(probes()).toBe(1);
});

it('an answer may take longer than Node lets one take', async () => {
  const key = Symbol.for('undici.globalDispatcher.1');
  await fetch('data:,');
  const before = Reflect.get(globalThis, key);
  closing.push(() => Reflect.set(globalThis, key, before));
  const waiting: ServerResponse[] = [];
  const url = await serving((_req, res) => void waiting.push(res));
  Reflect.set(globalThis, key, new before.constructor({ headersTimeout: 500 }));
  const patient = boundedFetch()(new URL(url));
  await expect(fetch(url)).rejects.toMatchObject({ cause: { code: 'UND_ERR_HEADERS_TIMEOUT' } });
  for (const res of waiting) res.end('late');
  expect(await (await patient).text()).toBe('late');
});
