import { PassThrough, Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import type { DroppingTransport } from '#src/mcp/era-2025/gate.ts';
import { EraSplitter } from '#src/mcp/stdio/era-splitter.ts';
import { LineTransport, type MessageTransport } from '#src/mcp/stdio/line-transport.ts';
import type { RpcMessage } from '#src/mcp/wire/rpc/json-rpc.ts';

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
  const claim = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } };

  async function split() {
    const { transport, sent, receive } = memory();
    const got: Record<string, RpcMessage[]> = { '2025': [], '2026': [] };
    const channels: Record<string, MessageTransport> = {};
    const splitter = new EraSplitter(transport, async (era, channel) => {
      await Promise.resolve();
      channels[era] = channel;
      channel.onmessage = (message) => got[era]?.push(message);
    });
    await splitter.start();
    return { splitter, sent, receive, got, channels };
  }

  it('gives each message to its era, those that came before the server was there as well', async () => {
    const { receive, got, splitter } = await split();
    receive({ jsonrpc: '2.0', id: 1, method: 'server/discover', params: claim });
    receive({ jsonrpc: '2.0', id: 2, method: 'initialize', params: {} });
    receive({ jsonrpc: '2.0', id: 3, method: 'tools/list' });
    receive({ jsonrpc: '2.0', id: 9, result: {} });
    await new Promise((resolve) => setImmediate(resolve));
    receive({ jsonrpc: '2.0', id: 4, method: 'tools/list', params: claim });
    expect(got['2026']?.map((message) => ('id' in message ? message.id : undefined))).toEqual([1, 4]);
    expect(got['2025']?.map((message) => ('id' in message ? message.id : undefined))).toEqual([2, 3, 9]);
    await splitter.close();
  });

  it('gives a cancellation to the era whose request it is', async () => {
    const { receive, got, channels } = await split();
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: claim });
    receive({ jsonrpc: '2.0', id: 2, method: 'tools/call' });
    await new Promise((resolve) => setImmediate(resolve));
    const cancel = (requestId: number) =>
      receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });
    cancel(1);
    cancel(2);
    expect(got['2026']).toHaveLength(2);
    expect(got['2025']).toHaveLength(2);
    receive({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: claim });
    await channels['2026']?.send({ jsonrpc: '2.0', id: 3, result: {} });
    cancel(3);
    expect(got['2026']).toHaveLength(3);
  });

  it('remembers no request that was cancelled: nobody answers it', async () => {
    const { receive, got } = await split();
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: claim });
    receive(cancelled);
    receive(cancelled);
    await new Promise((resolve) => setImmediate(resolve));
    expect(got['2026']).toHaveLength(2);
  });

  it('refuses a request with the id of one that is still running, in either era and across them', async () => {
    const { receive, got, channels, sent } = await split();
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: claim });
    receive({ jsonrpc: '2.0', id: '1', method: 'tools/call' });
    await new Promise((resolve) => setImmediate(resolve));
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: claim });
    receive({ jsonrpc: '2.0', id: '1', method: 'tools/list' });
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    receive({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: claim });
    const message = 'Invalid request: the id of a request is used by another one that is still running';
    expect(sent).toEqual(
      [1, '1', 1, 1].map((id) => ({ jsonrpc: '2.0', id, error: { code: -32600, message } })),
    );
    expect(got['2025']).toHaveLength(1);
    expect(got['2026']).toHaveLength(1);
    await channels['2026']?.send({ jsonrpc: '2.0', id: 1, result: {} });
    receive({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: claim });
    expect(got['2026']).toHaveLength(2);
  });

  it('frees the id of a 2025-era request that was cancelled once it has come to rest', async () => {
    const { receive, got, channels, sent } = await split();
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
    receive(call);
    await new Promise((resolve) => setImmediate(resolve));
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    receive(call);
    expect(sent).toHaveLength(1);
    (channels['2025'] as DroppingTransport | undefined)?.drop?.(1);
    receive(call);
    expect(got['2025']).toHaveLength(3);
  });

  it('answers what was asked before the client ended, but waits for no answer of that', async () => {
    const { transport, sent, receive } = memory();
    let channel: MessageTransport | undefined;
    let closed = false;
    const splitter = new EraSplitter(transport, async (_era, given) => {
      channel = given;
    });
    void splitter.closed.then(() => {
      closed = true;
    });
    for (const id of [1, 2, 3]) receive({ jsonrpc: '2.0', id, method: 'tools/call' });
    receive({ jsonrpc: '2.0', id: 9, method: 'subscriptions/listen' });
    await channel?.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create' });
    transport.onended?.();
    await channel?.send({ jsonrpc: '2.0', id: 1, result: {} });
    expect([closed, sent.length]).toEqual([false, 2]);
    receive({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } });
    (channel as DroppingTransport | undefined)?.drop?.(3);
    await splitter.closed;
    await channel?.send({ jsonrpc: '2.0', id: 2, result: {} });
  });

  it('lets lists wait until they are there, and nothing else', async () => {
    const { transport, receive } = memory();
    const { promise, resolve } = Promise.withResolvers<void>();
    const got: unknown[] = [];
    const open = async (_era: unknown, channel: MessageTransport) => {
      channel.onmessage = (message) => got.push('method' in message && message.method);
    };
    new EraSplitter(transport, open, promise);
    for (const method of ['initialize', 'tools/list', 'ping'])
      receive({ jsonrpc: '2.0', id: method, method });
    await new Promise((done) => setImmediate(done));
    expect(got).toEqual(['initialize', 'ping']);
    resolve();
    await new Promise((done) => setImmediate(done));
    expect(got).toEqual(['initialize', 'ping', 'tools/list']);
  });

  it('tells both that it is closed', async () => {
    const { splitter, receive, channels } = await split();
    receive({ jsonrpc: '2.0', id: 1, method: 'ping' });
    await new Promise((resolve) => setImmediate(resolve));
    let told = false;
    const channel = channels['2025'];
    if (channel)
      channel.onclose = () => {
        told = true;
      };
    await splitter.close();
    await splitter.closed;
    expect(told).toBe(true);
  });
});
