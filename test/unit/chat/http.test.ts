import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createScope, type Scope, suspend } from 'effection';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import type { ChatEvent } from '#src/chat/events.ts';
import { createChatHandler } from '#src/chat/http.ts';
import { newConversation } from '#src/chat/state.ts';
import type { SessionManager } from '#src/runtime/manager/manager.ts';
import { createSessionManager } from '#src/runtime/manager/session-manager.ts';
import { calls, ending, says, scriptedModel } from './rig.ts';

describe('the chat engine over HTTP', () => {
  let url: string;
  let close: () => Promise<void>;

  beforeEach(async () => {
    const [scope, destroy] = createScope();
    const manager = await managerIn(scope);
    const model = scriptedModel([[calls('1', 'ask_colour')], [says('thank you')]]);
    const handler = createChatHandler(createChatEngine(ending(manager, model)), { scope, maxBody: 10_000 });
    const server = createServer(async (incoming, outgoing) => {
      const request = new Request(`http://localhost${incoming.url}`, {
        method: incoming.method ?? 'GET',
        ...(incoming.method === 'POST'
          ? { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' }
          : {}),
      });
      const response = await handler(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      for await (const chunk of response.body ?? []) outgoing.write(chunk);
      outgoing.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    close = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await destroy();
    };
  });
  afterEach(() => close());

  async function turn(body: unknown): Promise<ChatEvent[]> {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
    const text = await response.text();
    expect(response.status, text).toBe(200);
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  }

  it('streams a turn that ends while its call waits, and the turn that brings the answer', async () => {
    const first = await turn({
      state: newConversation('c'),
      message: { role: 'user', content: { type: 'text', text: 'ask me' } },
    });
    const end = first.at(-1);
    if (end?.type !== 'turn_end') throw new Error('the last event is turn_end');
    expect(end.reason).toBe('awaiting');
    const elicitId = end.state.awaiting[0]?.question?.id;
    const second = await turn({
      state: end.state,
      pluginElicitResponses: [
        { sessionId: '1', elicitId, result: { action: 'accept', content: { colour: 'green' } } },
      ],
    });
    expect(second.map((event) => event.type)).toEqual(['tool_result', 'text', 'turn_end']);
    expect(JSON.stringify(second[0])).toContain('The user likes green');
  });

  it.each<[string, string, number]>([
    ['no JSON', 'hello', 400],
    ['a turn of another shape', '{"state":{}}', 400],
    ['a body that is too large', JSON.stringify({ x: 'x'.repeat(20_000) }), 413],
    ...[
      { messages: [{ role: 'user', content: { type: 'text' } }] },
      { messages: [{ role: 'assistant', content: [{ type: 'tool_use', input: {} }] }] },
      { results: [{ type: 'text', text: 'no result' }] },
      { results: [{ type: 'tool_result', toolUseId: '1' }] },
      { queued: [{ role: 'user', content: [{ type: 'tool_result', toolUseId: '1', content: [null] }] }] },
    ].map((odd): [string, string, number] => [
      `a state with ${JSON.stringify(odd)}`,
      JSON.stringify({ state: { ...newConversation('c'), ...odd } }),
      400,
    ]),
  ])('refuses %s', async (_what, body, status) => {
    const response = await fetch(url, { method: 'POST', body });
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: expect.any(String) });
  });

  it('refuses a body that breaks off', async () => {
    const handler = createChatHandler({
      *turn() {
        return newConversation('c');
      },
    });
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"st'));
        controller.error(new Error('socket hang up'));
      },
    });
    const init = { method: 'POST', body, duplex: 'half' };
    const request = new Request('http://localhost/', init);
    expect((await handler(request)).status).toBe(400);
  });

  it('says what failed, and neither where in its files nor why below', async () => {
    const state = newConversation('c');
    const error = {
      name: 'E',
      code: 'X',
      message: 'no',
      stack: 'at /srv',
      cause: { name: 'E', message: 'y' },
    };
    const handler = createChatHandler({
      *turn(_request, emit) {
        yield* emit({ type: 'turn_end', reason: 'failed', state, error });
        return state;
      },
    });
    const response = await handler(
      new Request('http://localhost/', { method: 'POST', body: JSON.stringify({ state }) }),
    );
    expect(JSON.parse(await response.text()).error).toEqual({ name: 'E', code: 'X', message: 'no' });
  });

  it('says why it asks again', async () => {
    const [, end] = (
      await turn({
        state: newConversation('c'),
        message: { role: 'user', content: { type: 'text', text: 'ask me' } },
      })
    ).slice(-2);
    if (end?.type !== 'turn_end') throw new Error('the last event is turn_end');
    const wrong = { action: 'accept', content: { colour: 5 } };
    const elicitId = end.state.awaiting[0]?.question?.id;
    const again = await turn({
      state: end.state,
      pluginElicitResponses: [{ sessionId: '1', elicitId, result: wrong }],
    });
    expect(again.find(({ type }) => type === 'plugin_elicit_request')).toMatchObject({
      elicitId,
      problem: expect.stringContaining('colour'),
    });
  });

  it('refuses a GET', async () => {
    expect((await fetch(url)).status).toBe(405);
  });
});

/** A manager that lives as long as the scope. */
function managerIn(scope: Scope): Promise<SessionManager> {
  return new Promise((resolve, reject) => {
    scope
      .run(function* () {
        resolve(yield* createSessionManager());
        yield* suspend();
      })
      .catch(reject);
  });
}
