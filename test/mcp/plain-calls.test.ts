import { createMcpTool } from 'parley-mcp';
import { afterEach, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { type InProcess, startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { envelope, type Reply, send } from './kit/wire.ts';

let running: InProcess | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

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
  running = await startServer({ tools: [...tools, talking, fails, samples] });
  return { running, url: running.url, witness };
}

/** A name as every client may write it, and as only the SDK reads it here: both say the same. */
const writings = {
  plain: (name: string) => name,
  'by the SDK': (name: string) => `=?base64?${Buffer.from(name).toString('base64')}?=`,
};

interface Asked {
  readonly params: { readonly name: string; readonly [more: string]: unknown };
  readonly id?: unknown;
  readonly headers?: Record<string, string>;
}

function call(
  url: URL,
  { params, id = 1, headers = {} }: Asked,
  write: (name: string) => string,
): Promise<Reply> {
  return send(url, {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': write(params.name),
      ...headers,
    },
    body: { jsonrpc: '2.0', id, method: 'tools/call', params: { _meta: envelope(), ...params } },
  });
}

/** What came back, without what differs from call to call. */
async function seen(reply: Reply) {
  const messages = await reply.rest();
  const text = JSON.stringify(messages, (key, value) => (key === 'requestState' ? '<state>' : value));
  return {
    status: reply.status,
    type: reply.headers.get('content-type'),
    messages: JSON.parse(text) as unknown,
  };
}

const loud = envelope(undefined, { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' });
const echo = { name: 'echo', arguments: { text: 'hi' } };

const requests: Readonly<Record<string, Asked>> = {
  'an echo': { params: echo },
  'one with the id 0': { params: echo, id: 0 },
  'one with an empty id': { params: echo, id: '' },
  'one without an id that is one': { params: echo, id: null },
  'one with a broken id': { params: echo, id: 1.5 },
  'one with a trace': {
    params: {
      ...echo,
      _meta: envelope(undefined, { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` }),
    },
  },
  'wrong arguments': { params: { name: 'echo', arguments: { text: 7 } } },
  'arguments that are none': { params: { name: 'echo', arguments: 'text' } },
  'no arguments': { params: { name: 'echo' } },
  'a tool that is not there': { params: { name: 'nothing', arguments: {} } },
  'a name of no tool': { params: { name: '__proto__', arguments: {} } },
  'a tool that fails': { params: { name: 'fails', arguments: {} } },
  'log and progress': { params: { name: 'talking', arguments: {}, _meta: loud } },
  'log that nobody wants': { params: { name: 'talking', arguments: {} } },
  'a question': { params: { name: 'ask_seat', arguments: {} } },
  'a question to who cannot answer it': {
    params: { name: 'ask_seat', arguments: {}, _meta: envelope({}) },
  },
  'a model that the client has not': {
    params: { name: 'samples', arguments: {}, _meta: envelope({ elicitation: {} }) },
  },
  'answers that are none': {
    params: { name: 'ask_seat', arguments: {}, inputResponses: { seat: 3, other: { method: 'x' } } },
  },
  'answers in no object': { params: { name: 'ask_seat', arguments: {}, inputResponses: [1] } },
  'an answer before its question': {
    params: {
      name: 'ask_seat',
      arguments: {},
      inputResponses: { seat: { action: 'accept', content: { row: 3 } } },
    },
  },
  'a state that nobody gave': { params: { name: 'ask_seat', arguments: {}, requestState: 'forged' } },
  'a state that is no text': { params: { name: 'ask_seat', arguments: {}, requestState: { a: 1 } } },
  'an envelope without capabilities': {
    params: { ...echo, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
  },
  'an envelope of another revision': {
    params: {
      ...echo,
      _meta: envelope(undefined, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' }),
    },
  },
  'a client without a name': {
    params: {
      ...echo,
      _meta: envelope(undefined, { 'io.modelcontextprotocol/clientInfo': { version: '1' } }),
    },
  },
  'no envelope': { params: { ...echo, _meta: {} } },
  'a header of another method': { params: echo, headers: { 'mcp-method': 'tools/list' } },
  'a header of another revision': { params: echo, headers: { 'mcp-protocol-version': '2025-11-25' } },
};

describe('a call that goes past the SDK’s server', () => {
  it.each(Object.entries(requests))('is answered as by the SDK: %s', async (_what, asked) => {
    const { url } = await start();
    const [plain, bySdk] = [
      await seen(await call(url, asked, writings.plain)),
      await seen(await call(url, asked, writings['by the SDK'])),
    ];
    expect(plain).toEqual(bySdk);
  });

  it('goes on, with what was answered, as by the SDK', async () => {
    const { url } = await start();
    for (const write of Object.values(writings)) {
      const params = { name: 'ask_seat', arguments: {} };
      const [asked] = await (await call(url, { params }, write)).rest();
      const answered = { seat: { action: 'accept', content: { row: 3 } } };
      const next = { ...params, inputResponses: answered, requestState: asked?.result.requestState };
      const [end] = await (await call(url, { params: next }, write)).rest();
      expect(end?.result).toMatchObject({
        resultType: 'complete',
        content: [{ text: 'row 3 on KL1' }],
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'test' } },
      });
    }
  });

  it.each(Object.entries(writings))('is over when its server closes: %s', async (_how, write) => {
    const { running: server, url, witness } = await start();
    const params = { name: 'idle', arguments: {}, _meta: loud };
    const streaming = await call(url, { params }, write);
    await streaming.until(({ method }) => method === 'notifications/progress');
    const silent = call(url, { params: { name: 'idle', arguments: {} } }, write);
    await vi.waitFor(() => expect(witness.started).toBe(2));
    await server.server.close();
    await vi.waitFor(() => expect(witness.ended).toBe(2));
    expect(await streaming.rest()).toEqual([]);
    const { status, rest } = await silent;
    expect({ status, messages: await rest() }).toEqual({ status: 499, messages: [] });
  });

  it.each(Object.entries(writings))(
    'ends with its client, before it said anything: %s',
    async (_how, write) => {
      const { url, witness } = await start();
      const aborting = new AbortController();
      const params = { name: 'idle', arguments: {}, _meta: envelope() };
      const asked = fetch(url, {
        method: 'POST',
        signal: aborting.signal,
        headers: {
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          'mcp-protocol-version': '2026-07-28',
          'mcp-method': 'tools/call',
          'mcp-name': write('idle'),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      await vi.waitFor(() => expect(witness.started).toBe(1));
      aborting.abort();
      await expect(asked).rejects.toThrow();
      await vi.waitFor(() => expect(witness.ended).toBe(1));
    },
  );
});
