import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { type Operation, run, sleep } from 'effection';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  foreignTool,
  promptTool,
  resourceTool,
  type ServerEntry,
  useMcpConnection,
} from '#src/mcp/client/index.ts';
import { createMockMcpClient, runMcpTool } from '#src/testing/index.ts';
import { type Era, FAILURES, HABITS, oddServer } from './odd-server.ts';

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
  const url = await listening((text, res) => {
    if (text === '') return void res.writeHead(405).end();
    const message = JSON.parse(text);
    if (message.id === undefined || !message.method) {
      take(message);
      return void res.writeHead(202).end();
    }
    const type = carrier === 'json' ? 'text/plain' : 'text/event-stream; charset=utf-8';
    current = res.writeHead(200, { 'content-type': type });
    take(message);
  });
  return { kind: 'http', name: 'odd', url, headers: {} };
}

async function listening(answer: (text: string, res: ServerResponse) => void): Promise<string> {
  const server = createServer(async (req, res) => {
    let text = '';
    for await (const chunk of req) text += String(chunk);
    answer(text, res);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
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
  ['events', '2025'],
  ['events', '2026'],
  ['json', '2025'],
  ['json', '2026'],
];

/** What a call that fails in this way ends with. */
const failureOf = (entry: ServerEntry, era: Era, how: string) =>
  run(function* () {
    const connection = yield* useMcpConnection(entry, { era });
    yield* connection.client();
    const fail = connection.offers().tools.find(({ name }) => name === 'fail');
    if (!fail) throw new Error('it has no such tool');
    try {
      return yield* runMcpTool(foreignTool(connection, fail), { text: how }, createMockMcpClient());
    } catch (error) {
      return (error as Error).message;
    }
  });

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

  it.each(Object.keys(FAILURES).map((how) => [how]))('answers with %s ends the call with it', async (how) => {
    expect(await failureOf(await oddEntry(carrier, era, []), era, how)).toContain(how);
  });
});

it('a server that is started anew while it asks is given the answer, and goes on', async () => {
  const entry = await oddEntry('stdio', '2026', []);
  await run(function* () {
    const connection = yield* useMcpConnection(entry);
    yield* connection.client();
    const ask = connection.offers().tools.find(({ name }) => name === 'ask');
    if (!ask) throw new Error('it has no such tool');
    const mock = createMockMcpClient({ elicitResponses: [{ action: 'accept', content: { colour: 'red' } }] });
    const client: typeof mock = {
      ...mock,
      *elicit(...asked) {
        connection.restart();
        yield* sleep(0);
        expect(connection.connected()).toBeUndefined();
        if (!mock.elicit) throw new Error('it answers nothing');
        return yield* mock.elicit(...asked);
      },
    };
    expect(JSON.stringify(yield* runMcpTool(foreignTool(connection, ask), {}, client))).toContain('red');
  });
});

const refusal = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32000, message: 'no luck' } });

it.each([
  ['an error of the protocol', 400, 'application/json', refusal, 'no luck'],
  ['a page', 502, 'text/html', '<html>no</html>', 'it answered with 502 Bad Gateway'],
  ['words', 500, 'text/plain', 'no luck', 'it answered with 500 Internal Server Error (no luck)'],
  ['a page and no error', 200, 'text/html', '<html>no</html>', 'no message of MCP (text/html)'],
  ['nothing', 200, 'application/json', '', 'without an answer'],
  [
    'an answer that nobody asked for',
    200,
    'application/json',
    '{"jsonrpc":"2.0","id":99,"result":{}}',
    'without an answer',
  ],
  ['events that are none', 200, 'text/event-stream', 'data: no\n\n', 'without an answer'],
])('a call that is answered over HTTP with %s ends, and says so', async (_what, status, type, body, said) => {
  const take = oddServer('2025', [], (sent) => current?.end(JSON.stringify(sent[0])));
  let current: ServerResponse | undefined;
  const url = await listening(async (text, res) => {
    const message = JSON.parse(text || '{}');
    if (message.id === undefined) return void res.writeHead(text ? 202 : 405).end();
    if (message.params?.name === 'fail')
      return void res.writeHead(status, { 'content-type': type }).end(body);
    current = res.writeHead(200, { 'content-type': 'application/json' });
    take(message);
  });
  expect(await failureOf({ kind: 'http', name: 'odd', url, headers: {} }, '2025', 'it')).toContain(said);
});

it('an answer over HTTP that carries the id as a text counts where none carries the id itself', async () => {
  let withItself = true;
  const take = oddServer('2025', [], (sent) => current?.end(JSON.stringify(sent[0])));
  let current: ServerResponse | undefined;
  const url = await listening((text, res) => {
    const { id, params, ...message } = JSON.parse(text || '{}');
    if (id === undefined) return void res.writeHead(text ? 202 : 405).end();
    current = res.writeHead(200, { 'content-type': 'application/json' });
    if (params?.name !== 'fail') return take({ id, params, ...message });
    const said = (one: unknown, words: string) => ({ id: one, result: { content: words } });
    res.end(JSON.stringify([said(String(id), 'a text'), ...(withItself ? [said(id, 'itself')] : [])]));
  });
  const entry = { kind: 'http', name: 'odd', url, headers: {} } as const;
  const answer = async () => JSON.stringify(await failureOf(entry, '2025', 'it'));
  expect(await answer()).toContain('itself');
  withItself = false;
  expect(await answer()).toContain('a text');
});

const event = (text: string) => `data: ${text}\n\n`;
const EVENTS = { 'content-type': 'text/event-stream' };
const JSON_TYPE = { 'content-type': 'application/json' };

/** Ways to carry one message that servers, their libraries and what stands before them have. */
const WAYS: Readonly<Record<string, (text: string, res: ServerResponse) => unknown>> = {
  'a byte order mark before it': (text, res) => res.writeHead(200, JSON_TYPE).end(`\ufeff${text}`),
  'a byte order mark before events': (text, res) => res.writeHead(200, EVENTS).end(`\ufeff${event(text)}`),
  'lines that end as on Windows': (text, res) =>
    res.writeHead(200, EVENTS).end(event(text).replaceAll('\n', '\r\n')),
  'lines that end as on old Macs': (text, res) =>
    res.writeHead(200, EVENTS).end(event(text).replaceAll('\n', '\r')),
  'several lines of data': (text, res) =>
    res
      .writeHead(200, EVENTS)
      .end(event(JSON.stringify(JSON.parse(text), null, 1).replaceAll('\n', '\ndata: '))),
  'comments around it': (text, res) => res.writeHead(200, EVENTS).end(`: hi\n\n:\n\n${event(text)}: bye\n\n`),
  'an event without its empty line': (text, res) => res.writeHead(200, EVENTS).end(`data: ${text}\n`),
  'events of another name': (text, res) => res.writeHead(200, EVENTS).end(`event: response\n${event(text)}`),
  'one byte at a time': (text, res) => {
    res.writeHead(200, EVENTS);
    for (const byte of Buffer.from(event(text))) res.write(Buffer.of(byte));
    res.end();
  },
  'gzip, unasked': (text, res) =>
    res.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync(text)),
  'brotli on events': (text, res) =>
    res.writeHead(200, { ...EVENTS, 'content-encoding': 'br' }).end(brotliCompressSync(event(text))),
  'no type': (text, res) => res.writeHead(200).end(text),
  'a type in capitals': (text, res) =>
    res.writeHead(200, { 'content-type': 'Application/JSON;Charset="UTF-8"' }).end(text),
  'a type of events on JSON': (text, res) => res.writeHead(200, EVENTS).end(text),
  'a status of its own': (text, res) => res.writeHead(201, JSON_TYPE).end(text),
  'an empty session': (text, res) => res.writeHead(200, { ...JSON_TYPE, 'mcp-session-id': '' }).end(text),
  '12 kB of headers': (text, res) =>
    res.writeHead(200, { ...JSON_TYPE, 'x-trace': 'x'.repeat(12_000) }).end(text),
  'HTTP/1.0': (text, res) =>
    res.socket?.end(`HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n${text}`),
  'the same answer twice': (text, res) => res.writeHead(200, EVENTS).end(event(text).repeat(2)),
  'white space around it': (text, res) => res.writeHead(200, JSON_TYPE).end(`\r\n ${text}\n\n`),
};

/** Answers to what wants none. */
const TAKEN: Readonly<Record<string, (res: ServerResponse) => unknown>> = {
  '204': (res) => res.writeHead(204).end(),
  '200, and nothing': (res) => res.writeHead(200).end(),
  '200, and a word': (res) => res.writeHead(200, { 'content-type': 'text/plain' }).end('Accepted'),
  '200, and null': (res) => res.writeHead(200, JSON_TYPE).end('null'),
  '200, and an empty result': (res) =>
    res.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":null,"result":{}}'),
  'no events': (res) => res.writeHead(200, EVENTS).end(': none\n\n'),
  'a refusal': (res) => res.writeHead(400, JSON_TYPE).end(refusal),
};

/** Answers to a request for a stream, which a server need not have. */
const STREAMS: Readonly<Record<string, (res: ServerResponse) => unknown>> = {
  'a page': (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html>hello</html>'),
  '404': (res) => res.writeHead(404).end(),
  '400': (res) => res.writeHead(400, JSON_TYPE).end(refusal),
  '401 without a header': (res) => res.writeHead(401).end(),
  '500': (res) => res.writeHead(500).end('oops'),
  nothing: (res) => res.destroy(),
  'comments alone': (res) => res.writeHead(200, EVENTS).write(': ping\n\n'),
};

/** A server that carries what it says in such ways. */
async function carriedBy(
  era: Era,
  way: (text: string, res: ServerResponse) => unknown,
  taken = (res: ServerResponse): unknown => res.writeHead(202).end(),
  stream = (res: ServerResponse): unknown => res.writeHead(405).end(),
): Promise<ServerEntry> {
  let current: ServerResponse;
  const take = oddServer(era, [], (sent) => way(JSON.stringify(sent[0]), current));
  const url = await listening((text, res) => {
    const message = JSON.parse(text || '{}');
    if (message.id === undefined) return void (text === '' ? stream : taken)(res);
    current = res;
    take(message);
  });
  return { kind: 'http', name: 'odd', url, headers: {} };
}

const isThere = async (entry: ServerEntry, era: Era) =>
  expect((await run(() => arrives(entry, era, false))).came).toMatchObject({ text: 'said hi' });

describe.each(['2025', '2026'] as const)('over HTTP in %s, a server arrives as any other that', (era) => {
  const plain = WAYS['no type'] ?? (() => {});

  it.each(Object.entries(WAYS))('sends %s', async (_way, way) => {
    await isThere(await carriedBy(era, way), era);
  });

  it.each(Object.entries(TAKEN))('answers %s to what wants no answer', async (_what, taken) => {
    await isThere(await carriedBy(era, plain, taken), era);
  });

  it.each(Object.entries(STREAMS))('answers %s where a stream is asked for', async (_what, stream) => {
    await isThere(await carriedBy(era, plain, undefined, stream), era);
  });
});

it.each(['2025', '2026'] as const)(
  'over stdio in %s, a server arrives as any other that begins with a byte order mark and ends lines as on Windows',
  async (era) => {
    const entry = await oddEntry('stdio', era, ['writes as on Windows']);
    await isThere(entry, era);
  },
);

const { 'sends words for a list': _words, 'sends one block for a list': _one, ...together } = HABITS;

it.each(['2025', '2026'] as const)(
  'over stdio in %s, a server with all habits arrives as any other',
  async (era) => {
    const odd = await cameOf('stdio', era, Object.keys(together));
    expect(odd.came).toEqual((await cameOf('events', era, [])).came);
    const entry = await oddEntry('stdio', era, []);
    for (const how of Object.keys(FAILURES)) expect(await failureOf(entry, era, how)).toContain(how);
  },
);

it('a server with any of these habits together arrives as any other', async () => {
  const plain = await cameOf('events', '2025', []);
  await fc.assert(
    fc.asyncProperty(fc.shuffledSubarray(Object.keys(together)), async (habits) => {
      expect((await cameOf('events', '2025', habits)).came, habits.join(', ')).toEqual(plain.came);
    }),
    { numRuns: 25 },
  );
});
