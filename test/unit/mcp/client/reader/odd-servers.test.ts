import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Operation, run } from 'effection';
import * as fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import {
  foreignTool,
  promptTool,
  resourceTool,
  type ServerEntry,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type Era, HABITS, oddServer } from './odd-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

type Carrier = 'stdio' | 'events' | 'json';

/** A server with these habits. Over HTTP the answer to each request is a stream of events, or one text of JSON. */
async function oddEntry(carrier: Carrier, era: Era, habits: readonly string[]): Promise<ServerEntry> {
  if (carrier === 'stdio') {
    const args = [join(import.meta.dirname, 'odd-server.ts'), era, ...habits];
    return { kind: 'stdio', name: 'odd', command: process.execPath, args, env: {} };
  }
  let current: ServerResponse | undefined;
  const written = (sent: readonly unknown[]) =>
    carrier === 'json'
      ? JSON.stringify(sent.length === 1 ? sent[0] : sent)
      : sent
          .map((one) => `event: message\ndata: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`)
          .join('');
  const take = oddServer(era, habits, (sent) => {
    current?.write(written(sent));
    // What asks waits for its answer, which ends the stream of the call.
    if (carrier === 'json' || !JSON.stringify(sent).includes('"elicitation/create"') || era === '2026')
      current?.end();
  });
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    if (req.method !== 'POST') return void res.writeHead(405).end();
    const message = JSON.parse(text);
    if (message.id === undefined || !message.method) {
      take(message);
      return void res.writeHead(202).end();
    }
    const type = carrier === 'json' ? 'text/plain' : 'text/event-stream; charset=utf-8';
    current = res.writeHead(200, { 'content-type': type });
    take(message);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  return { kind: 'http', name: 'odd', url, headers: {} };
}

/** All that a server has, as it arrives, and what was said of it. */
function* arrives(
  entry: ServerEntry,
  era: Era,
  asks: boolean,
): Operation<{ readonly came: unknown; readonly said: string }> {
  const said: string[] = [];
  const connection = yield* useMcpConnection(entry, { era, onLog: ({ message }) => said.push(message) });
  yield* connection.client();
  const { tools, prompts, resources } = connection.offers();
  const [greet] = prompts;
  const [file] = resources;
  if (!greet || !file) throw new Error(`something is missing: ${said.join('; ')}`);
  const client = createMockMcpClient({
    elicitResponses: [{ action: 'accept', content: { colour: 'red', count: 2 } }],
  });
  const call = function* (name: string, params: object = {}) {
    const found = tools.find((one) => one.name === name);
    if (!found) throw new Error(`there is no '${name}'`);
    const { content } = (yield* runMcpTool(foreignTool(connection, found), { ...params }, client)) as {
      readonly content: readonly { readonly text: string }[];
    };
    return content;
  };
  const [first, ...more] = yield* call('say', { text: 'hi' });
  const answered = asks ? JSON.parse((yield* call('ask'))[0]?.text ?? '') : undefined;
  const question = client.transcript.find(({ type }) => type === 'elicit');
  const shown = [promptTool(connection, greet), resourceTool(connection, file)];
  const read: unknown[] = [];
  for (const tool of shown) read.push(yield* runMcpTool(tool, { who: 'you' }, createMockMcpClient()));
  const message =
    question && 'request' in question ? (question.request as { message: string }).message : undefined;
  const { action, content } = answered ?? {};
  const came = {
    tools: tools.map(({ name }) => name),
    text: first?.text,
    question: message,
    answer: [action, content?.colour, content?.count],
    read: JSON.stringify(read),
  };
  return { came, said: [...said, ...more.map(({ text }) => text)].join('\n') };
}

const CARRIERS: readonly (readonly [Carrier, Era])[] = [
  ['stdio', '2025'],
  ['stdio', '2026'],
  ['events', '2025'],
  ['events', '2026'],
  ['json', '2025'],
  ['json', '2026'],
];

/** What arrives of a server with these habits. */
const cameOf = async (carrier: Carrier, era: Era, habits: readonly string[]) => {
  const entry = await oddEntry(carrier, era, habits);
  // In one text of JSON no server of 2025-11-25 can ask.
  return await run(() => arrives(entry, era, carrier !== 'json' || era === '2026'));
};

function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What is named, where it cannot arrive. */
const NAMED: Readonly<Record<string, RegExp>> = {
  'lists what is no item':
    /one of its tools is left out[\s\S]*one of its prompts is left out[\s\S]*one of its resources is left out/,
  'has an odd hint': /one of its tools \('say'\) is read in part/,
  'sends a block of a later protocol': /hologram/,
  'sends a block that is none': /image: the server sent it in a form that cannot be read/,
  'sends what is no message': /no message/,
};

describe.each(CARRIERS)('over %s in %s, a server that', (carrier, era) => {
  const plain = lazy(() => cameOf(carrier, era, []));

  it.each(Object.keys(HABITS).map((habit) => [habit]))('%s arrives as any other', async (habit) => {
    const odd = await cameOf(carrier, era, [habit]);
    expect(odd.came).toEqual((await plain()).came);
    expect(odd.said).toMatch(NAMED[habit] ?? /^/);
  });
});

it('a server with any of these habits together arrives as any other', async () => {
  const plain = await cameOf('events', '2025', []);
  const { 'sends words for a list': _words, 'sends one block for a list': _one, ...together } = HABITS;
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(Object.keys(together)), async (habits) => {
      expect((await cameOf('events', '2025', habits)).came, habits.join(', ')).toEqual(plain.came);
    }),
    { numRuns: 25 },
  );
});
