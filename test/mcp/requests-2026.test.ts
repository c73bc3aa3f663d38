import { createMcpTool } from 'parley-mcp';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { envelope, type Reply, send, stateless } from './kit/wire.ts';

const talking = createMcpTool('talking')
  .description('Logs and reports')
  .parameters(z.object({}))
  .output(z.object({ steps: z.number() }))
  .elicits({})
  .execute(function* (_params, ctx) {
    yield* ctx.log('info', 'a step');
    yield* ctx.notify('half', 0.5);
    return { steps: 1 };
  });

const fails = createMcpTool('fails')
  .description('Fails')
  .parameters(z.object({}))
  .elicits({})
  .execute(function* () {
    throw new Error('no such flight');
  });

const samples = createMcpTool('samples')
  .description('Samples')
  .parameters(z.object({}))
  .requires({ sampling: true })
  .elicits({})
  .execute(function* (_params, ctx) {
    return (yield* ctx.sample({ prompt: 'Say hi', maxTokens: 5 })).text;
  });

async function start() {
  const { tools, witness } = testTools();
  const running = await startServer({ tools: [...tools, talking, fails, samples] });
  return { running, url: running.url, witness };
}

interface Asked {
  readonly params: { readonly name: string; readonly [more: string]: unknown };
  readonly id?: unknown;
  readonly headers?: Record<string, string>;
}

function call(url: URL, { params, id = 1, headers = {} }: Asked): Promise<Reply> {
  return send(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: envelope(), ...params } },
  });
}

const loud = envelope(undefined, { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' });
const echo = { name: 'echo', arguments: { text: 'hi' } };
const seat = { name: 'ask_seat', arguments: {} };
const text = (said: string) => ({ result: { resultType: 'complete', content: [{ text: said }] } });
const failed = (said: string) => ({
  result: { isError: true, content: [{ text: expect.stringContaining(said) }] },
});
const asks = { result: { resultType: 'input_required', inputRequests: { seat: expect.anything() } } };
const error = (code: number, said = '') => ({ error: { code, message: expect.stringContaining(said) } });
const wrapped = (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`;
const meta = (more: object, capabilities?: unknown) => ({ ...echo, _meta: envelope(capabilities, more) });
const claim = (key: string, value: unknown) => meta({ [`io.modelcontextprotocol/${key}`]: value });

/** A request, the status of its answer, and what that says. */
const requests: Readonly<Record<string, readonly [Asked, number, object]>> = {
  'an echo': [{ params: echo }, 200, text('hi')],
  'one with the id 0': [{ params: echo, id: 0 }, 200, { id: 0, ...text('hi') }],
  'one with an empty id': [{ params: echo, id: '' }, 200, { id: '', ...text('hi') }],
  'one without an id that is one': [{ params: echo, id: null }, 400, error(-32600)],
  'one with a broken id': [{ params: echo, id: 1.5 }, 400, error(-32600)],
  'one with a trace': [
    { params: meta({ traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }) },
    200,
    text('hi'),
  ],
  'wrong arguments': [{ params: { name: 'echo', arguments: { text: 7 } } }, 200, failed('not valid: text')],
  'arguments that are none': [
    { params: { name: 'echo', arguments: 'text' } },
    200,
    error(-32602, 'arguments'),
  ],
  'no arguments': [{ params: { name: 'echo' } }, 200, failed('not valid: text')],
  'a tool that is not there': [{ params: { name: 'nothing' } }, 200, error(-32602, 'Unknown tool: nothing')],
  'a name of no tool': [{ params: { name: '__proto__' } }, 200, error(-32602, 'Unknown tool')],
  'a tool that fails': [{ params: { name: 'fails' } }, 200, failed('no such flight')],
  'log that nobody wants': [
    { params: { name: 'talking' } },
    200,
    { result: { structuredContent: { steps: 1 } } },
  ],
  'a question': [{ params: seat }, 200, asks],
  'a question to who cannot answer it': [{ params: { ...seat, _meta: envelope({}) } }, 400, error(-32021)],
  'a model that the client has not': [
    { params: { name: 'samples', _meta: envelope({ elicitation: {} }) } },
    400,
    error(-32021),
  ],
  'answers that are none': [
    { params: { ...seat, inputResponses: { seat: 3, other: { method: 'x' } } } },
    200,
    asks,
  ],
  'answers in no object': [{ params: { ...seat, inputResponses: [1] } }, 200, asks],
  'an answer before its question': [
    { params: { ...seat, inputResponses: { seat: { action: 'accept', content: { row: 3 } } } } },
    200,
    text('row 3 on KL1'),
  ],
  'a state that nobody gave': [
    { params: { ...seat, requestState: 'forged' } },
    200,
    error(-32602, 'requestState'),
  ],
  'a state that is no text': [
    { params: { ...seat, requestState: { a: 1 } } },
    200,
    error(-32602, 'requestState'),
  ],
  'no envelope': [{ params: { ...echo, _meta: {} } }, 400, error(-32602, 'protocolVersion: missing')],
  'an envelope without capabilities': [
    { params: claim('clientCapabilities', undefined) },
    400,
    error(-32602, 'clientCapabilities: missing'),
  ],
  'capabilities that are none': [
    { params: meta({}, { roots: 1 }) },
    400,
    error(-32602, 'roots: must be an object'),
  ],
  'a client without a name': [
    { params: claim('clientInfo', { version: '1' }) },
    400,
    error(-32602, 'clientInfo.name'),
  ],
  'a client that says nothing of itself': [{ params: claim('clientInfo', undefined) }, 200, text('hi')],
  'a level that is none': [{ params: claim('logLevel', 'loud') }, 400, error(-32602, 'logLevel')],
  'a revision that is no text': [
    { params: claim('protocolVersion', 7) },
    400,
    error(-32602, 'protocolVersion'),
  ],
  'another revision': [
    { params: claim('protocolVersion', '2099-01-01'), headers: { 'mcp-protocol-version': '2099-01-01' } },
    400,
    {
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2099-01-01' } },
    },
  ],
  'a header of another method': [
    { params: echo, headers: { 'mcp-method': 'tools/list' } },
    400,
    error(-32020, 'mcp-method does not say'),
  ],
  'a header of another revision': [
    { params: echo, headers: { 'mcp-protocol-version': '2025-11-25' } },
    400,
    error(-32020, 'mcp-protocol-version does not say'),
  ],
  'a header of another name': [
    { params: echo, headers: { 'mcp-name': 'fails' } },
    400,
    error(-32020, 'mcp-name does not say'),
  ],
  'a header with the name in Base64': [
    { params: echo, headers: { 'mcp-name': wrapped('echo') } },
    200,
    text('hi'),
  ],
  'a header with a broken name': [
    { params: echo, headers: { 'mcp-name': '=?base64?!?=' } },
    400,
    error(-32020, 'no valid Base64'),
  ],
  'a header with the method in Base64': [
    { params: echo, headers: { 'mcp-method': wrapped('tools/call') } },
    400,
    error(-32020, 'mcp-method does not say'),
  ],
};

describe('a call of 2026-07-28 over HTTP', () => {
  it.each(Object.entries(requests))(
    'is answered as what it is: %s',
    async (_what, [asked, status, answer]) => {
      const { url } = await start();
      const reply = await call(url, asked);
      expect(reply.status).toBe(status);
      expect(await reply.rest()).toMatchObject([answer]);
    },
  );

  it.each(['mcp-protocol-version', 'mcp-method', 'mcp-name'])(
    'is refused without its header %s',
    async (name) => {
      const { url } = await start();
      const asked: Asked = { params: echo };
      const headers: Record<string, string> = {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'echo',
      };
      delete headers[name];
      const body = {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { _meta: envelope(), ...asked.params },
      };
      const reply = await send(url, { headers, body });
      expect(reply.status).toBe(400);
      expect(await reply.rest()).toMatchObject([error(-32020, `${name} is missing`)]);
    },
  );

  it('streams log and progress before its answer', async () => {
    const { url } = await start();
    const reply = await call(url, { params: { name: 'talking', arguments: {}, _meta: loud } });
    expect(reply.headers.get('content-type')).toBe('text/event-stream');
    expect(await reply.rest()).toMatchObject([
      { method: 'notifications/message' },
      { method: 'notifications/progress', params: { progressToken: 'p' } },
      { id: 1, result: { structuredContent: { steps: 1 } } },
    ]);
  });

  it('goes on, with what was answered', async () => {
    const { url } = await start();
    const [asked] = await (await call(url, { params: seat })).rest();
    const answered = { seat: { action: 'accept', content: { row: 3 } } };
    const next = { ...seat, inputResponses: answered, requestState: asked?.result.requestState };
    const [end] = await (await call(url, { params: next })).rest();
    expect(end?.result).toMatchObject({
      resultType: 'complete',
      content: [{ text: 'row 3 on KL1' }],
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test' } },
    });
  });

  it('is over when its server closes', async () => {
    const { running: server, url, witness } = await start();
    const streaming = await call(url, { params: { name: 'idle', arguments: {}, _meta: loud } });
    await streaming.until(({ method }) => method === 'notifications/progress');
    const silent = call(url, { params: { name: 'idle', arguments: {} } });
    await vi.waitFor(() => expect(witness.started).toBe(2));
    await server.server.close();
    await vi.waitFor(() => expect(witness.ended).toBe(2));
    expect(await streaming.rest()).toEqual([]);
    const { status, rest } = await silent;
    expect({ status, messages: await rest() }).toEqual({ status: 499, messages: [] });
  });

  it('ends with its client, before it said anything', async () => {
    const { url, witness } = await start();
    const aborting = new AbortController();
    const asked = fetch(url, {
      method: 'POST',
      signal: aborting.signal,
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'idle',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'idle', arguments: {}, _meta: envelope() },
      }),
    });
    await vi.waitFor(() => expect(witness.started).toBe(1));
    aborting.abort();
    await expect(asked).rejects.toThrow();
    await vi.waitFor(() => expect(witness.ended).toBe(1));
  });
});

describe('a server of 2026-07-28 over HTTP', () => {
  it.each(['ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list', 'no/such', '__proto__'])(
    'answers a method that the protocol or the server has not with 404: %s',
    async (method) => {
      const { url } = await start();
      const reply = await stateless(url, method);
      expect(reply.status).toBe(404);
      expect(await reply.rest()).toMatchObject([error(-32601, `Method not found: ${method}`)]);
    },
  );

  it('takes what a client only tells, and no batches', async () => {
    const { url } = await start();
    const told = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { _meta: envelope() } };
    expect((await send(url, { body: told })).status).toBe(202);
    const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: envelope() } };
    const batch = await send(url, { body: [request, told] });
    expect(batch.status).toBe(400);
    expect(await batch.rest()).toMatchObject([error(-32600, 'no batches')]);
  });
});
