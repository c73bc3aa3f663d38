import { PassThrough, Writable } from 'node:stream';
import { ensure, suspend, until } from 'effection';
import { createMcpTool } from 'parley-mcp';
import { createMcpServer, type McpServerOptions } from 'parley-mcp/server';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import * as z from 'zod';
import { LineTransport, type MessageTransport } from '#src/mcp/stdio/line-transport.ts';
import type { RpcId, RpcMessage } from '#src/mcp/wire/rpc/json-rpc.ts';
import { testTools } from '../../mcp/kit/tools.ts';
import { envelope } from '../../mcp/kit/wire.ts';

async function lines() {
  const input = new PassThrough();
  const output = new PassThrough();
  const transport = new LineTransport(input, output);
  const got: RpcMessage[] = [];
  let closed = 0;
  transport.onmessage = (message) => got.push(message);
  transport.onclose = () => {
    closed += 1;
  };
  await transport.start();
  const answers = () =>
    output
      .read()
      ?.toString()
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line)) ?? [];
  return { input, output, transport, got, answers, closed: () => closed };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
const text = JSON.stringify(ping);

describe('lines', () => {
  it('are read wherever they are cut, with either end', async () => {
    const { input, got } = await lines();
    for (const part of [text.slice(0, 5), text.slice(5), '\r\n\n', `${text}\n${text}\n`]) input.write(part);
    expect(got).toEqual([ping, ping, ping]);
  });

  it('keep characters whole that are cut in two', async () => {
    const { input, got } = await lines();
    const bytes = Buffer.from(`${JSON.stringify({ ...ping, params: { name: 'é€😀' } })}\n`);
    for (const byte of bytes) input.write(Buffer.from([byte]));
    expect(got).toMatchObject([{ params: { name: 'é€😀' } }]);
  });

  it('that are no message are answered, and those after them read', async () => {
    const { input, got, answers } = await lines();
    input.write(`nonsense\n{"id":7}\n[]\n[1,${text}]\n${text}\n`);
    expect(answers()).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 7, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
      { id: null, error: { code: -32600 } },
    ]);
    expect(got).toEqual([ping, ping]);
  });

  it('with a batch of very many messages cost one answer, and those after them are read', async () => {
    const { input, got, answers } = await lines();
    input.write(`[${Array.from({ length: 100_000 }, () => 1).join()}]\n${text}\n`);
    expect(answers()).toMatchObject([
      { id: null, error: { code: -32600, message: expect.stringContaining('a batch holds') } },
    ]);
    expect(got).toEqual([ping]);
  });

  it('that are too much to check are refused under their own id, and those after them read', async () => {
    const { input, got, answers } = await lines();
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    input.write(`{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":${deep}}}\n${text}\n`);
    expect(answers()).toMatchObject([{ id: 7, error: { code: -32602 } }]);
    expect(got).toEqual([ping]);
  });

  it('that are no message and nested very deep are answered, and those after them read', async () => {
    const { input, got, answers } = await lines();
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    input.write(`${deep}\n{"x":${deep}}\n${text}\n`);
    expect(answers()).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }]);
    expect(got).toEqual([ping]);
  });

  it('with an answer that is too much to check end the wait of whoever asked', async () => {
    const { input, got } = await lines();
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    input.write(`{"jsonrpc":"2.0","id":7,"result":{"x":${deep}}}\n`);
    expect(got).toMatchObject([{ id: 7, error: { code: -32602 } }]);
  });

  it('are not read on while the client does not read what they cause', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1024 });
    const transport = new LineTransport(input, output);
    const result = { text: 'x'.repeat(100_000) };
    let answered = 0;
    transport.onmessage = () => {
      answered += 1;
      void transport.send({ jsonrpc: '2.0', id: answered, result });
    };
    await transport.start();
    const asked = 2_000;
    for (let sent = 0; sent < asked; sent++) input.write(`${text}\n`);
    await vi.waitFor(() => expect(output.writableLength).toBeGreaterThan(1024 * 1024));
    expect(answered).toBeLessThan(100);
    output.resume();
    await vi.waitFor(() => expect(answered).toBe(asked), { timeout: 20_000 });
  });

  it('without an end are a failure that is told, not a silent goodbye', async () => {
    const { input, transport, answers, closed } = await lines();
    for (let sent = 0; sent <= 16; sent++) input.write(Buffer.alloc(1024 * 1024, 'x'));
    await vi.waitFor(() => expect(closed()).toBe(1));
    expect(answers()).toMatchObject([{ id: null, error: { code: -32600 } }]);
    expect(transport.failure?.message).toContain('longer than 16777216 bytes');
  });

  it('end with the last one, which needs no newline', async () => {
    const { input, got, closed } = await lines();
    input.end(`${text}\n${text}`);
    await vi.waitFor(() => expect(closed()).toBe(1));
    expect(got).toEqual([ping, ping]);
  });

  it('that have all come are taken before the end, however many there are', async () => {
    const { input, got, closed } = await lines();
    input.end(`${text}\n`.repeat(500));
    await vi.waitFor(() => expect(closed()).toBe(1));
    expect(got).toHaveLength(500);
  });

  it('end with the input, once', async () => {
    const { input, transport, closed } = await lines();
    const ended = new Promise((resolve) => {
      const { onclose } = transport;
      transport.onclose = () => {
        onclose?.();
        resolve(undefined);
      };
    });
    input.end();
    await ended;
    await transport.close();
    expect(closed()).toBe(1);
  });

  it('end when nobody reads them any more, without a crash', async () => {
    const input = new PassThrough();
    const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
    const transport = new LineTransport(input, output);
    const closed = new Promise<void>((resolve) => {
      transport.onclose = resolve;
    });
    await transport.start();
    await transport.send(ping);
    await closed;
  });

  it('wait for a reader who is slow', async () => {
    const input = new PassThrough();
    const output = new PassThrough({ highWaterMark: 1 });
    const transport = new LineTransport(input, output);
    await transport.start();
    let sent = false;
    const sending = transport.send(ping).then(() => {
      sent = true;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(false);
    output.resume();
    await sending;
  });
});

/** A transport in memory: what it is sent, and a way to receive. */
function memory() {
  const sent: RpcMessage[] = [];
  const transport: MessageTransport = {
    start: async () => {},
    send: async (message) => void sent.push(message),
    close: async () => transport.onclose?.(),
  };
  return { transport, sent, receive: (message: object) => transport.onmessage?.(message as RpcMessage) };
}

describe('a channel that both eras share', () => {
  const _meta = envelope();
  const idle = { name: 'idle', arguments: {} };
  const echo = { name: 'echo', arguments: { text: 'hi' } };
  const cancelled = (requestId: RpcId) => ({ method: 'notifications/cancelled', params: { requestId } });

  async function served(more: Partial<McpServerOptions> = {}) {
    const { tools, witness } = testTools();
    const { transport, sent, receive } = memory();
    const server = createMcpServer({ name: 'test', version: '1', tools, apps: false, ...more });
    onTestFinished(() => server.close());
    const connection = await server.connect(transport);
    const answers = (id: RpcId) => sent.filter((one) => 'id' in one && one.id === id && !('method' in one));
    return {
      ...{ witness, connection, transport, sent, answers },
      say: (...all: readonly object[]) => {
        for (const message of all) receive({ jsonrpc: '2.0', ...message });
      },
      answered: (id: RpcId, times = 1) => vi.waitFor(() => expect(answers(id)).toHaveLength(times)),
      started: (count: number) => vi.waitFor(() => expect(witness.started).toBe(count)),
      ended: (count: number) => vi.waitFor(() => expect(witness.ended).toBe(count)),
    };
  }

  it('serves each message in its era, without a handshake that decides', async () => {
    const { say, answers, answered } = await served();
    const clientInfo = { name: 'client', version: '1' };
    const handshake = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    say({ id: 1, method: 'server/discover', params: { _meta } });
    say({ id: 2, method: 'initialize', params: handshake });
    say({ id: 3, method: 'tools/list' }, { id: 4, method: 'tools/list', params: { _meta } });
    for (const id of [1, 2, 3, 4]) await answered(id);
    expect(answers(1)).toMatchObject([{ result: { supportedVersions: ['2026-07-28'] } }]);
    expect(answers(2)).toMatchObject([{ result: { protocolVersion: '2025-11-25' } }]);
    expect(answers(3)).not.toMatchObject([{ result: { resultType: 'complete' } }]);
    expect(answers(4)).toMatchObject([{ result: { resultType: 'complete' } }]);
  });

  it('checks the envelope of each request, also when others were served before', async () => {
    const { say, answers, answered } = await served();
    const other = envelope({}, { 'io.modelcontextprotocol/protocolVersion': '2099-01-01' });
    say({ id: 1, method: 'tools/list', params: { _meta } });
    say({ id: 2, method: 'tools/list', params: { _meta: other } });
    say({ id: 3, method: 'tools/list', params: { _meta: envelope('none') } });
    for (const id of [1, 2, 3]) await answered(id);
    expect(answers(2)).toMatchObject([{ error: { code: -32022, data: { supported: ['2026-07-28'] } } }]);
    expect(answers(3)).toMatchObject([{ error: { code: -32602 } }]);
  });

  it('takes a cancellation in the era whose request it is, and answers neither', async () => {
    const { say, sent, started, ended } = await served();
    say({ id: 1, method: 'tools/call', params: { ...idle, _meta } });
    say({ id: 2, method: 'tools/call', params: idle });
    await started(2);
    say(cancelled(1), cancelled(2));
    await ended(2);
    expect(sent).toEqual([]);
  });

  it('frees the id of a 2026-era request at once when it is cancelled', async () => {
    const { say, answers, answered, ended } = await served();
    say({ id: 1, method: 'tools/call', params: { ...idle, _meta } }, cancelled(1), cancelled(1));
    say({ id: 1, method: 'tools/call', params: { ...echo, _meta } });
    await answered(1);
    expect(answers(1)).toMatchObject([{ result: { content: [{ text: 'hi' }] } }]);
    await ended(1);
  });

  it('refuses a request with the id of one that is still running, in either era and across them', async () => {
    const { say, sent, started } = await served();
    say({ id: 1, method: 'tools/call', params: { ...idle, _meta } });
    say({ id: '1', method: 'tools/call', params: idle });
    await started(2);
    say({ id: 1, method: 'tools/list', params: { _meta } }, { id: '1', method: 'tools/list' });
    say({ id: 1, method: 'tools/list' }, { id: 1, method: 'subscriptions/listen', params: { _meta } });
    const message = 'Invalid request: the id of a request is used by another one that is still running';
    expect(sent).toEqual(
      [1, '1', 1, 1].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32600, message } })),
    );
  });

  it.each([
    ['2025', echo],
    ['2026', { ...echo, _meta }],
  ])('frees the id of a request of %s with its answer', async (_era, params) => {
    const { say, transport, answers } = await served();
    const send = transport.send.bind(transport);
    const request = { id: 5, method: 'tools/call', params };
    transport.send = async (message) => {
      await send(message);
      if (answers(5).length < 3) say(request);
    };
    say(request);
    const answer = { result: { content: [{ text: 'hi' }] } };
    await vi.waitFor(() => expect(answers(5)).toMatchObject([answer, answer, answer]));
  });

  it('frees the id of a 2025-era request that was cancelled once it has come to rest', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = createMcpTool('slow')
      .description('Takes long to end')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        yield* ensure(() => until(promise));
        yield* suspend();
      });
    const { say, answers, answered } = await served({ tools: [slow] });
    const call = { id: 1, method: 'tools/call', params: { name: 'slow', arguments: {} } };
    say(call);
    await new Promise((done) => setImmediate(done));
    say(cancelled(1), { id: 1, method: 'ping' });
    await answered(1);
    expect(answers(1)).toMatchObject([{ error: { code: -32600 } }]);
    resolve();
    await vi.waitFor(() => {
      say({ id: 1, method: 'ping' });
      expect(answers(1).at(-1)).toMatchObject({ result: {} });
    });
  });

  it('answers what was asked before the client ended, but waits for no answer of that', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const late = createMcpTool('late')
      .description('Takes a while')
      .parameters(z.object({}))
      .elicits({})
      .execute(function* () {
        yield* until(promise);
        return 'late';
      });
    const { tools } = testTools();
    const { say, answers, sent, transport, connection } = await served({ tools: [...tools, late] });
    const clientInfo = { name: 'client', version: '1' };
    const handshake = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
    say({ id: 0, method: 'initialize', params: handshake });
    say({ id: 1, method: 'tools/call', params: { name: 'late', arguments: {} } });
    say({ id: 2, method: 'tools/call', params: { name: 'ask_seat', arguments: {} } });
    say({ id: 3, method: 'tools/call', params: idle });
    say({ id: 9, method: 'subscriptions/listen', params: { notifications: {}, _meta } });
    await vi.waitFor(() => expect(sent.some((one) => 'method' in one && 'id' in one)).toBe(true));
    let closed = false;
    const closing = connection.closed.then(() => {
      closed = true;
    });
    transport.onended?.();
    say(cancelled(3));
    await new Promise((done) => setImmediate(done));
    expect(closed).toBe(false);
    resolve();
    await closing;
    expect(answers(1)).toMatchObject([{ result: { content: [{ text: 'late' }] } }]);
    expect([answers(2), answers(3)]).toEqual([[], []]);
  });

  it('lets lists wait until they are there, and nothing else', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { say, sent, answered } = await served({ listsReady: promise });
    say({ id: 'list', method: 'tools/list' }, { id: 'list 2026', method: 'tools/list', params: { _meta } });
    say({ id: 'ping', method: 'ping' }, { id: 'discover', method: 'server/discover', params: { _meta } });
    await answered('discover');
    expect(sent).toMatchObject([{ id: 'ping' }, { id: 'discover' }]);
    resolve();
    await answered('list');
    await answered('list 2026');
  });

  it.each([
    ['when it is closed', ({ connection }: Awaited<ReturnType<typeof served>>) => connection.close()],
    [
      'half a minute after its client has ended',
      async ({ transport, witness }: Awaited<ReturnType<typeof served>>) => {
        vi.useFakeTimers({ toFake: ['setTimeout'] });
        onTestFinished(() => void vi.useRealTimers());
        transport.onended?.();
        await vi.advanceTimersByTimeAsync(29_999);
        expect(witness.ended).toBe(0);
        vi.advanceTimersByTime(1);
        vi.useRealTimers();
      },
    ],
  ] as const)('ends what runs in both eras %s', async (_, ends) => {
    const channel = await served();
    channel.say({ id: 1, method: 'tools/call', params: { ...idle, _meta } });
    channel.say({ id: 2, method: 'tools/call', params: idle });
    await channel.started(2);
    await ends(channel);
    await channel.connection.closed;
    await channel.ended(2);
  });
});
