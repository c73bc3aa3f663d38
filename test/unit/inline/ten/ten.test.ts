import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createMcpHandler, McpServer, type ServerOptions } from '@modelcontextprotocol/server';
import { inline } from 'parley-mcp/inline';
import { expect, test } from 'vitest';
import { byHandOf, requestState } from './by-hand.ts';
import { straightOf } from './straight.ts';
import { takes, World } from './world.ts';

type Said = object | 'decline';

/** What a person says to each, in turn. */
const plays: readonly (readonly [string, readonly Said[]])[] = [
  ...[[{ ok: true }], [{ ok: false }], ['decline']].map((said) => ['remove', said] as [string, Said[]]),
  ['empty', [{ name: 'user' }, { name: 'users' }]],
  ['empty', [{ name: 'x' }, { name: 'y' }, { name: 'z' }]],
  ['refund', [{ amount: 80 }, { amount: 20 }, {}]],
  ['refund', [{ amount: 20 }, { text: 'Dear' }]],
  ['refund', [{ amount: 20 }, 'decline']],
  ['rotate', [{ name: 'none' }, { name: 'old' }, { ok: true }]],
  ['rotate', [{ name: 'old' }, { ok: false }]],
  ['book', [{ day: 'monday' }, { ok: true }]],
  ['book', [{ day: 'monday' }, 'decline']],
  ['order', [{ size: 'L' }, { name: 'red' }]],
  ['rename', [{ name: 'new' }]],
  ['rename', ['decline']],
  ['summarize', [{}]],
  ['summarize', [{ text: 'mine' }]],
  ['publish', [{ ok: true }, { ok: true }]],
  ['publish', [{ ok: true }, { ok: false }]],
  ['collect', [{ name: 'a' }, { name: 'b' }, { name: '' }]],
];

async function play(handlers: object, options: ServerOptions, name: string, answers: readonly Said[]) {
  const made = () => {
    const server = new McpServer({ name: 'theirs', version: '1' }, options);
    for (const [tool, handler] of Object.entries(handlers))
      server.registerTool(tool, { inputSchema: takes }, handler);
    return server;
  };
  const { fetch } = createMcpHandler(made);
  const client = new Client(
    { name: 'c', version: '1' },
    {
      capabilities: { elicitation: { form: {} }, sampling: {} },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  const left = [...answers];
  const asked: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    asked.push(params.message);
    const said = left.shift();
    return said === 'decline' ? { action: said } : { action: 'accept', content: { ...Object(said) } };
  });
  client.setRequestHandler('sampling/createMessage', () => ({
    ...{ role: 'assistant', model: 'm', content: { type: 'text', text: 'Sorry.' } },
  }));
  await client.connect(
    new StreamableHTTPClientTransport(new URL('http://x/mcp'), {
      fetch: (url, init) => fetch(new Request(url, init)),
    }),
  );
  const { content, isError = false } = await client.callTool({ name, arguments: { id: 'users' } });
  await client.close();
  const [block] = content as { text: string }[];
  // Words of failures are each one's own.
  return { text: isError ? '' : block?.text, isError, asked };
}

test.each(plays)('%s, straight, does what it does by hand: %j', async (name, answers) => {
  const [here, there] = [new World(), new World()];
  const byHand = await play(byHandOf(here), { requestState }, name, answers);
  const straight = await play(straightOf(inline({ book: 'memory' }), there), {}, name, answers);
  expect(straight).toEqual(byHand);
  expect(there.did).toEqual(here.did);
});

test('each of ten handlers is shorter straight', async () => {
  const [byHand = [], straight = []] = await Promise.all(['by-hand.ts', 'straight.ts'].map(linesOf));
  expect(byHand).toHaveLength(10);
  for (const [at, lines] of straight.entries()) expect(lines).toBeLessThan(byHand[at] ?? 0);
});

async function linesOf(file: string): Promise<readonly number[]> {
  const text = await readFile(join(import.meta.dirname, file), 'utf8');
  const [, ...parts] = text.split(/^ *\/\/ (?:begin|end)$/m);
  return parts.slice(0, -1).map((part) => part.split('\n').filter((line) => line.trim() !== '').length);
}
