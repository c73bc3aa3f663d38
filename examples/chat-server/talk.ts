import { createInterface } from 'node:readline/promises';
import {
  type ChatEvent,
  type ChatRequestBody,
  type ConversationState,
  newConversation,
} from 'parley-mcp/chat';

/** Talks to the server in a terminal: one line a turn, questions of tools as JSON. */
const url = process.argv[2] ?? 'http://127.0.0.1:4200';
const terminal = createInterface({ input: process.stdin, output: process.stdout });

type Question = Extract<ChatEvent, { type: 'plugin_elicit_request' }>;

async function turn(request: ChatRequestBody): Promise<{ state: ConversationState; question?: Question }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(request) });
  const events: ChatEvent[] = (await response.text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  for (const event of events) if (event.type === 'text') console.log(event.text);
  const question = events.find((event) => event.type === 'plugin_elicit_request');
  const end = events.find((event) => event.type === 'turn_end');
  if (!end) throw new Error(`the turn did not end: ${JSON.stringify(events.at(-1))}`);
  return { state: end.state, ...(question ? { question } : {}) };
}

let { state, question } = await turn({
  state: newConversation(crypto.randomUUID()),
  message: { role: 'user', content: { type: 'text', text: await terminal.question('> ') } },
});
while (question) {
  console.log(question.message, JSON.stringify(question.schema.properties));
  const content = JSON.parse(await terminal.question('{} '));
  ({ state, question } = await turn({
    state,
    pluginElicitResponses: [
      { sessionId: question.sessionId, elicitId: question.elicitId, result: { action: 'accept', content } },
    ],
  }));
}
terminal.close();
