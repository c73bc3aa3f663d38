import { suspend } from 'effection';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { createMcpTool } from '#src/core/index.ts';
import { createMcpServer } from '#src/mcp/index.ts';
import type { MessageTransport } from '#src/mcp/stdio/line-transport.ts';
import type { RpcMessage } from '#src/mcp/wire/rpc/json-rpc.ts';

const ended: string[] = [];
const parameters = z.object({});

const tools = [
  createMcpTool('wait')
    .description('Waits for ever')
    .parameters(parameters)
    .elicits({})
    .execute(function* () {
      try {
        yield* suspend();
      } finally {
        ended.push('wait');
      }
    }),
  createMcpTool('tell')
    .description('Says something first')
    .parameters(parameters)
    .elicits({})
    .execute(function* (_, ctx) {
      yield* ctx.log('warning', 'first');
      yield* ctx.notify('halfway', { value: 1, total: 2 });
      return 'then';
    }),
  createMcpTool('ask')
    .description('Needs somebody to ask')
    .parameters(parameters)
    .elicits({ name: z.object({ name: z.string() }) })
    .execute(function* (_, ctx) {
      const { name } = yield* ctx.elicit.strict('name', { message: 'Who?' });
      return name;
    }),
];

/** A client on a channel of messages that says what it says at once. */
async function connected() {
  const got: RpcMessage[] = [];
  const channel: MessageTransport = {
    async start() {},
    async send(message) {
      got.push(message);
    },
    async close() {
      channel.onclose?.();
    },
  };
  const server = createMcpServer({ name: 'server', version: '1', tools });
  await server.connect(channel);
  const say = (...messages: readonly object[]) => {
    for (const message of messages) channel.onmessage?.({ jsonrpc: '2.0', ...message } as RpcMessage);
  };
  const answered = (id: number) =>
    vi.waitFor(() => expect(got.find((one) => 'id' in one && one.id === id)).toBeDefined());
  return { server, got, say, answered };
}

const initialize = (capabilities: object = {}) => ({
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'client', version: '1' } },
});
const call = (id: number, name: string, more: object = {}) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: {}, ...more },
});

describe('a connection of 2025-11-25', () => {
  it.each([
    ['a version that is none', { protocolVersion: 5 }, 'protocolVersion: must be text, not a number'],
    ['no name', { clientInfo: undefined }, 'clientInfo: is missing: it must be an object'],
    [
      'capabilities that are none',
      { capabilities: { roots: 1 } },
      'capabilities.roots: must be an object, not a number',
    ],
  ])(
    'refuses a handshake with %s in words, and takes one that is right after it',
    async (_, wrong, words) => {
      const { server, got, say, answered } = await connected();
      const right = initialize();
      say({ ...right, id: 5, params: { ...right.params, ...wrong } });
      await answered(5);
      const message = expect.stringContaining(`Invalid params: ${words}`);
      expect(got).toMatchObject([{ id: 5, error: { code: -32602, message } }]);
      say(right, call(1, 'tell'));
      await answered(1);
      expect(got).toContainEqual(expect.objectContaining({ id: 0, result: expect.anything() }));
      await server.close();
    },
  );

  it('takes a call back that is cancelled in the turn in which it came', async () => {
    const { server, got, say, answered } = await connected();
    say(initialize());
    await answered(0);
    ended.length = 0;
    say(call(1, 'wait'), { method: 'notifications/cancelled', params: { requestId: 1 } });
    await vi.waitFor(() => expect(ended).toEqual(['wait']));
    say({ id: 2, method: 'ping' });
    await answered(2);
    expect(got.some((one) => 'id' in one && one.id === 1)).toBe(false);
    await server.close();
  });

  it('answers a call that ends in the turn in which it is cancelled at most once', async () => {
    const { server, got, say, answered } = await connected();
    say(initialize());
    await answered(0);
    say(call(1, 'tell'), { method: 'notifications/cancelled', params: { requestId: 1 } }, call(2, 'tell'));
    await answered(2);
    expect(got.filter((one) => 'id' in one && one.id === 1).length).toBeLessThanOrEqual(1);
    await server.close();
  });

  it('sends log and progress before the result, under the token of the request', async () => {
    const { server, got, say, answered } = await connected();
    say(initialize());
    await answered(0);
    got.length = 0;
    say(call(7, 'tell', { _meta: { progressToken: 0 } }));
    await answered(7);
    expect(got).toMatchObject([
      { method: 'notifications/message', params: { level: 'warning' } },
      { method: 'notifications/progress', params: { progressToken: 0, message: 'halfway' } },
      { id: 7, result: { content: [{ text: 'then' }] } },
    ]);
    await server.close();
  });

  it('knows what a client can do whose first call comes with its handshake', async () => {
    const { server, got, say, answered } = await connected();
    say(initialize({ elicitation: {} }), call(9, 'ask'));
    await vi.waitFor(() =>
      expect(got).toContainEqual(expect.objectContaining({ method: 'elicitation/create' })),
    );
    const asked = got.find((one) => 'method' in one && one.method === 'elicitation/create');
    say({
      id: asked && 'id' in asked ? asked.id : -1,
      result: { action: 'accept', content: { name: 'Ann' } },
    });
    await answered(9);
    expect(got.at(-1)).toMatchObject({ id: 9, result: { content: [{ text: 'Ann' }] } });
    await server.close();
  });

  it('ends its calls when the client is gone', async () => {
    const { server, say, answered } = await connected();
    say(initialize());
    await answered(0);
    ended.length = 0;
    say(call(1, 'wait'));
    await server.close();
    expect(ended).toEqual(['wait']);
  });

  it('answers what it does not know, and what is no call, with errors of the protocol', async () => {
    const { server, got, say, answered } = await connected();
    say(initialize());
    await answered(0);
    got.length = 0;
    say({ id: 1, method: 'no/such' }, { id: 2, method: 'tools/call', params: { name: 'none' } });
    await answered(2);
    expect(got).toEqual([
      { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found: no/such' } },
      { jsonrpc: '2.0', id: 2, error: { code: -32602, message: 'Unknown tool: none' } },
    ]);
    await server.close();
  });
});
