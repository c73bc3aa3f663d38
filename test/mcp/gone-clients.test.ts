import { run, suspend } from 'effection';
import { createMcpTool } from 'parley-mcp';
import {
  type Client,
  createMcpServer,
  createSessionManager,
  type MessageTransport,
  type SessionManager,
} from 'parley-mcp/server';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { testTools } from './kit/tools.ts';
import { ask, envelope, type Message, openSession, stateless } from './kit/wire.ts';

/** A tool that asks, and says what it caught in place of an answer. */
function askingTool() {
  const seen: unknown[] = [];
  const tool = createMcpTool('ask')
    .description('Asks')
    .parameters(z.object({ stubborn: z.boolean().default(false) }))
    .elicits({ colour: z.object({ colour: z.string() }) })
    .execute(function* ({ stubborn }, ctx) {
      try {
        const { action } = yield* ctx.elicit('colour', { message: 'Which colour?' });
        return action;
      } catch (error) {
        seen.push((error as { code?: string }).code);
        if (stubborn) yield* suspend();
        return 'did without';
      } finally {
        seen.push('cleaned up');
      }
    });
  return { tool, seen };
}

/** A manager of calls that notes why each of them was aborted. */
async function watchedManager() {
  const reasons: string[] = [];
  const ready = Promise.withResolvers<SessionManager>();
  const task = run(function* () {
    const manager = yield* createSessionManager();
    manager.subscribe(({ type, session }) => {
      const end = session.ended();
      if (type === 'ended' && end?.type === 'aborted') reasons.push(end.reason);
    });
    ready.resolve(manager);
    yield* suspend();
  });
  return { manager: await ready.promise, reasons, stop: () => task.halt() };
}

const isQuestion = ({ method }: Message) => method === 'elicitation/create';
const call = { name: 'ask', arguments: {} };

describe('a tool whose client is gone', () => {
  it('catches that at its question, and settles what it has begun', async () => {
    const { tool, seen } = askingTool();
    const running = await startServer({ tools: [tool] });
    const session = await openSession(running.url);
    const reply = await session.request(1, 'tools/call', call);
    await reply.until(isQuestion);
    await session.delete();
    await vi.waitFor(() => expect(seen).toEqual(['DISCONNECTED', 'cleaned up']));
    expect(running.problems).toEqual([]);
  });

  it('is not asked to settle anything when the client has cancelled it', async () => {
    const { tool, seen } = askingTool();
    const running = await startServer({ tools: [tool] });
    const session = await openSession(running.url);
    const reply = await session.request(1, 'tools/call', call);
    await reply.until(isQuestion);
    await session.notify('notifications/cancelled', { requestId: 1 });
    await vi.waitFor(() => expect(seen).toEqual(['cleaned up']));
  });
});

/** A pipe to a server of tools, as a client at its other end has it. */
async function pipeTo(tool: ReturnType<typeof askingTool>['tool']) {
  const server = createMcpServer({ name: 'test', version: '1.0.0', tools: [tool] });
  const sent: Message[] = [];
  const pipe: MessageTransport = {
    start: async () => {},
    send: async (message) => void sent.push(message as Message),
    close: async () => pipe.onclose?.(),
  };
  await server.connect(pipe);
  return {
    write: (message: { id?: number; method: string; params?: Record<string, unknown> }) =>
      pipe.onmessage?.({ jsonrpc: '2.0', ...message }),
    until: (found: (message: Message) => boolean) =>
      vi.waitFor(() => {
        const message = sent.find(found);
        if (!message) throw new Error('it has not come');
        return message;
      }),
    breakOff: () => pipe.onclose?.(),
    server,
  };
}

describe('a tool whose pipe breaks off', () => {
  it('catches that at its question, in the 2025 era', async () => {
    const { tool, seen } = askingTool();
    const { write, until, breakOff, server } = await pipeTo(tool);
    const clientInfo = { name: 'test', version: '1' };
    const capabilities = { elicitation: {} };
    const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
    write({ id: 0, method: 'initialize', params });
    await until(({ id }) => id === 0);
    write({ method: 'notifications/initialized' });
    write({ id: 1, method: 'tools/call', params: call });
    await until(isQuestion);
    breakOff();
    await vi.waitFor(() => expect(seen).toEqual(['DISCONNECTED', 'cleaned up']));
    await server.close();
  });

  it('catches that at its question, in the 2026 era, while it is waiting', async () => {
    const { tool, seen } = askingTool();
    const { write, until, breakOff, server } = await pipeTo(tool);
    write({
      id: 1,
      method: 'tools/call',
      params: { ...call, _meta: envelope({ elicitation: { form: {} } }) },
    });
    const { result } = await until(({ id }) => id === 1);
    expect(result?.resultType).toBe('input_required');
    breakOff();
    await vi.waitFor(() => expect(seen).toEqual(['DISCONNECTED', 'cleaned up']));
    await server.close();
  });
});

describe('a principal that is dismissed', () => {
  const principal = { name: 'someone' };
  const token = 'a-token-of-theirs';
  const headers = { authorization: `Bearer ${token}` };

  async function start(options: Parameters<typeof startServer>[0]) {
    const running = await startServer(options, { tokens: () => [{ token, principal }] });
    return running;
  }

  it('has no open call any more, in either era, and each is told why', async () => {
    const { manager, reasons, stop } = await watchedManager();
    const { tool, seen } = askingTool();
    const { url, dismiss } = await start({ tools: [tool], manager });
    const session = await openSession(url, undefined, headers);
    const open2025 = await session.request(1, 'tools/call', call);
    await open2025.until(isQuestion);
    const waiting = await ask(url, 'tools/call', call, headers);
    expect(waiting.result.resultType).toBe('input_required');
    await dismiss(principal.name, 'its token was reset');
    await vi.waitFor(() => expect(seen).toEqual(['cleaned up', 'cleaned up']));
    expect(reasons).toEqual(['its token was reset', 'its token was reset']);
    expect((await session.request(2, 'tools/list')).status).toBe(404);
    await stop();
  });

  it('hears it in a call of the 2026 era that is under way', async () => {
    const { manager, reasons, stop } = await watchedManager();
    const { url, dismiss } = await start({ tools: testTools().tools, manager });
    const params = { name: 'idle', arguments: {}, _meta: envelope(undefined, { progressToken: 1 }) };
    const reply = await stateless(url, 'tools/call', params, headers);
    await reply.until(({ method }) => method === 'notifications/progress');
    await dismiss(principal.name, 'its token was reset');
    await vi.waitFor(() => expect(reasons).toEqual(['its token was reset']));
    await stop();
  });

  it('takes no other principal along', async () => {
    const { tool, seen } = askingTool();
    const { url, dismiss } = await start({ tools: [tool] });
    const session = await openSession(url, undefined, headers);
    const reply = await session.request(1, 'tools/call', call);
    const { id } = await reply.until(isQuestion);
    await dismiss('somebody else', 'its token was reset');
    await session.answer(id ?? '', { action: 'decline' });
    expect((await reply.rest()).at(-1)?.result.content[0].text).toBe('decline');
    expect(seen).toEqual(['cleaned up']);
  });
});

describe('a call whose question is answered elsewhere', () => {
  it('says at once that it waits', async () => {
    const { tool } = askingTool();
    const editor: Client = {
      name: 'editor',
      waiting: 'Waiting for your answer in the editor',
      capabilities: () => ({ elicitation: { form: true } }),
      can: () => true,
      *elicit() {
        yield* suspend();
        return { action: 'cancel' };
      },
    };
    const running = await startServer({ tools: [tool], client: () => editor });
    const session = await openSession(running.url);
    const params = { ...call, _meta: { progressToken: 'p' } };
    const reply = await session.request(1, 'tools/call', params);
    const told = await reply.until(({ method }) => method === 'notifications/progress');
    expect(told.params).toMatchObject({
      progressToken: 'p',
      message: 'Waiting for your answer in the editor',
    });
  });

  it('does not say so to the client that is asked', async () => {
    const { tool } = askingTool();
    const running = await startServer({ tools: [tool] });
    const session = await openSession(running.url);
    const reply = await session.request(1, 'tools/call', { ...call, _meta: { progressToken: 'p' } });
    const first = await reply.next();
    const next = first?.message ? first : await reply.next();
    expect(next?.message).toMatchObject({ method: 'elicitation/create' });
  });
});
