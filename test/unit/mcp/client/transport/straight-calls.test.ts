import * as sdk from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { Halt } from '#src/mcp/client/calls/halt.ts';
import type { ForeignProgress } from '#src/mcp/client/calls/in-flight.ts';
import { StraightCalls } from '#src/mcp/client/transport/straight-calls.ts';

type Sent = sdk.JSONRPCMessage & { readonly id: number; readonly params: Readonly<Record<string, unknown>> };

/** A server of 2025-11-25 that answers a call when it is told to, with a client of the SDK beside the straight calls. */
async function connected({ failing = false } = {}) {
  const sent: Sent[] = [];
  const errors: string[] = [];
  const transport: sdk.Transport = {
    start: async () => {},
    close: async () => transport.onclose?.(),
    async send(message) {
      if (failing && 'method' in message && message.method === 'tools/call')
        throw new Error('the pipe broke');
      sent.push(message as Sent);
      if (!('method' in message) || message.method !== 'initialize' || !('id' in message)) return;
      const result = {
        protocolVersion: '2025-11-25',
        capabilities: { tools: {} },
        serverInfo: { name: 's', version: '1' },
      };
      come({ id: message.id, result });
    },
  };
  const come = (rest: object) => transport.onmessage?.({ jsonrpc: '2.0', ...rest } as sdk.JSONRPCMessage);
  const straight = new StraightCalls(sdk, transport, ({ message }) => errors.push(message));
  const client = new sdk.Client(
    { name: 'c', version: '1' },
    { versionNegotiation: { mode: 'legacy', probe: { timeoutMs: 1_000 } } },
  );
  client.onerror = ({ message }) => errors.push(message);
  client.onclose = () => straight.close();
  await client.connect(transport);
  sent.length = 0;
  const halt = new Halt();
  const reports: ForeignProgress[] = [];
  const call = () => {
    const progress = (report: ForeignProgress) => void reports.push(report);
    return straight.call({ name: 'echo', arguments: { text: 'hi' } }, { progress }, halt);
  };
  return { call, client, come, errors, halt, reports, sent };
}

const text = (said: string) => ({ content: [{ type: 'text', text: said }] });

describe('a call that goes past the client of the SDK', () => {
  it('is asked for as the SDK does, and resolves to what the server answers', async () => {
    const { call, client, come, sent } = await connected();
    const called = [call(), call()] as const;
    const request = { method: 'tools/call', params: { name: 'echo', arguments: { text: 'hi' } } };
    const schema = sdk.specTypeSchemas.CallToolResult;
    client.request(request, schema, { onprogress: () => {} }).catch(() => {});
    const [first, second, ofSdk] = sent;
    const { id, params, ...rest } = first ?? ({} as Sent);
    expect({ ...rest, params: { ...params, _meta: {} } }).toEqual({
      jsonrpc: '2.0',
      method: 'tools/call',
      params: { name: 'echo', arguments: { text: 'hi' }, _meta: {} },
    });
    expect(params._meta).toEqual({ progressToken: id });
    expect(Object.keys(ofSdk ?? {}).sort()).toEqual(Object.keys(first ?? {}).sort());
    come({ id: second?.id, result: text('two') });
    come({ id, result: { ...text('one'), resultType: 'complete', structuredContent: { a: 1 } } });
    expect(await called[0]).toEqual({ ...text('one'), structuredContent: { a: 1 } });
    expect(await called[1]).toEqual(text('two'));
    await client.close();
  });

  it.each([
    ['text', { content: [{ type: 'text', text: 'a' }], isError: false }],
    ['a failure', { content: [{ type: 'text', text: 'a' }], isError: true }],
    ['nothing', {}],
    ['text with more to it', { content: [{ type: 'text', text: 'a', _meta: { a: 1 }, odd: 1 }] }],
    ['more than content', { content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 }, odd: 1 }],
  ])('resolves as with the SDK where the answer is %s', async (_what, result) => {
    const { call, client, come, sent } = await connected();
    const schema = sdk.specTypeSchemas.CallToolResult;
    const called = [call(), client.request({ method: 'tools/call', params: { name: 'echo' } }, schema)];
    for (const { id } of [...sent]) come({ id, result });
    const [ours, theirs] = await Promise.all(called);
    expect(ours).toEqual(theirs);
    await client.close();
  });

  it.each([
    ['no content', { result: { content: 7 } }],
    ['text that is none', { result: { content: [{ type: 'text', text: 7 }] } }],
    ['what says oddly that it failed', { result: { content: [{ type: 'text', text: 'a' }], isError: 1 } }],
    ['a block of no kind', { result: { content: [{ type: 'text', text: 'a' }, { type: 'odd' }] } }],
    ['an error', { error: { code: -32602, message: 'no such tool', data: { why: 'x' } } }],
    ['pages to visit', { error: { code: -32042, message: 'go there', data: { elicitations: [] } } }],
  ])('fails as with the SDK where the answer is %s', async (_what, answer) => {
    const { call, client, come, sent } = await connected();
    const failures = [
      call(),
      client.request({ method: 'tools/call', params: { name: 'echo' } }, sdk.specTypeSchemas.CallToolResult),
    ].map((made) =>
      made.then(
        () => undefined,
        (error: unknown) => error as sdk.SdkError,
      ),
    );
    for (const { id } of [...sent]) come({ id, ...answer });
    const [ours, theirs] = await Promise.all(failures);
    expect(ours).toBeInstanceOf(Error);
    expect(ours?.constructor).toBe(theirs?.constructor);
    expect({ ...ours, message: ours?.message }).toEqual({ ...theirs, message: theirs?.message });
    await client.close();
  });

  it('hears of its progress and of nobody else’s, and leaves to the SDK what is none', async () => {
    const { call, come, errors, reports, sent } = await connected();
    const called = call();
    const [{ id } = { id: 0 }] = sent;
    const report = (params: object) => come({ method: 'notifications/progress', params });
    report({ progressToken: id, progress: 1, total: 2, message: 'half' });
    report({ progressToken: 7, progress: 2 });
    report({ progressToken: id, progress: 'all' });
    come({ id, result: text('done') });
    report({ progressToken: id, progress: 3 });
    await called;
    await Promise.resolve();
    expect(reports).toEqual([{ progress: 1, total: 2, message: 'half' }]);
    await expect.poll(() => errors).toHaveLength(3);
  });

  it('that nobody wants any more is cancelled, once; an answer that comes then is for nobody', async () => {
    const { call, come, errors, halt, sent } = await connected();
    const failed = expect(call()).rejects.toThrow('given up');
    const [{ id } = { id: 0 }] = sent;
    halt.halt(new Error('given up'));
    halt.halt(new Error('again'));
    await failed;
    expect(sent.slice(1)).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId: id, reason: 'Error: given up' },
      },
    ]);
    come({ id, result: text('late') });
    expect(errors).toHaveLength(1);
  });

  it('that has been answered is not cancelled', async () => {
    const { call, come, halt, sent } = await connected();
    const called = call();
    come({ id: sent[0]?.id, result: text('done') });
    halt.halt(new Error('too late'));
    await called;
    expect(sent).toHaveLength(1);
  });

  it('fails with the connection, and where there is none any more', async () => {
    const { call, client } = await connected();
    const failed = expect(call()).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await client.close();
    await failed;
    await expect(call()).rejects.toThrow('Not connected');
  });

  it('fails where it cannot be sent', async () => {
    const { call } = await connected({ failing: true });
    await expect(call()).rejects.toThrow('the pipe broke');
  });
});

describe('what says that a request is not wanted', () => {
  it('tells who listens late, and makes a signal late', () => {
    const halt = new Halt();
    halt.halt(new Error('enough'));
    let heard: Error | undefined;
    halt.onHalt((reason) => {
      heard = reason;
    });
    expect(heard?.message).toBe('enough');
    expect(halt.signal.aborted).toBe(true);
    expect(halt.signal.reason).toBe(heard);
  });

  it('aborts the signal that it has made', () => {
    const halt = new Halt();
    const { signal } = halt;
    expect(signal.aborted).toBe(false);
    halt.halt(new Error('enough'));
    expect(signal.aborted).toBe(true);
    expect(halt.signal).toBe(signal);
  });
});
