import { createScope, suspend } from 'effection';
import type { ChatEvent, ChatRequestBody, ConversationState } from 'parley-mcp/chat';
import { newConversation } from 'parley-mcp/chat';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { useApp } from '#examples/chat-server/app.ts';

let handler: (request: Request) => Promise<Response>;
let close: () => Promise<void>;

beforeAll(async () => {
  const [scope, destroy] = createScope();
  close = destroy;
  handler = await new Promise((resolve, reject) => {
    scope
      .run(function* () {
        resolve(yield* useApp());
        yield* suspend();
      })
      .catch(reject);
  });
});
afterAll(() => close());

async function turn(request: ChatRequestBody) {
  const response = await handler(
    new Request('http://127.0.0.1/', { method: 'POST', body: JSON.stringify(request) }),
  );
  const events: ChatEvent[] = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const end = events.find((event) => event.type === 'turn_end');
  if (!end) throw new Error('a turn ends');
  return { events, state: end.state, reason: end.reason };
}

const begin = (id: string) =>
  turn({
    state: newConversation(id),
    message: { role: 'user', content: { type: 'text', text: 'Where shall we go?' } },
  });

const answer = (
  { events, state }: { readonly events: readonly ChatEvent[]; readonly state: ConversationState },
  content: Readonly<Record<string, unknown>>,
) => {
  const question = events.find((event) => event.type === 'plugin_elicit_request');
  if (!question) throw new Error('there is a question');
  const { sessionId, elicitId } = question;
  return turn({
    state,
    pluginElicitResponses: [{ sessionId, elicitId, result: { action: 'accept', content } }],
  });
};

test('a tool asks twice over HTTP, and the model reads its result aloud', async () => {
  const first = await begin('trip');
  expect(first.reason).toBe('awaiting');
  const second = await answer(first, { city: 'Lisbon' });
  expect(second.events).toContainEqual(
    expect.objectContaining({ type: 'plugin_elicit_request', message: 'How many of you go to Lisbon?' }),
  );
  const last = await answer(second, { people: 2 });
  expect(last.reason).toBe('complete');
  expect(last.events).toContainEqual({
    type: 'text',
    text: 'Here is your plan: Lisbon for 2. Take the tram.',
  });
});

test('a call that is given up ends, and the conversation goes on', async () => {
  const first = await begin('given up');
  const sessionId = first.state.awaiting[0]?.callId ?? '';
  const next = await turn({ state: first.state, pluginAbort: { sessionId, reason: 'never mind' } });
  expect(next.reason).toBe('complete');
  expect(next.events).toContainEqual(expect.objectContaining({ type: 'tool_result', callId: sessionId }));
});

test('another conversation does not reach the question', async () => {
  const first = await begin('mine');
  const theirs = await turn({
    state: { ...first.state, id: 'theirs' },
    pluginElicitResponses: [],
  });
  expect(theirs.events).toContainEqual(
    expect.objectContaining({ type: 'plugin_session_error', error: 'SESSION_NOT_FOUND' }),
  );
});
