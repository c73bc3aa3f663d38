import { once } from 'node:events';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { createMcpTool } from 'parley-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type InProcess, startServer } from './kit/in-process.ts';
import { envelope, type Message, openSession } from './kit/wire.ts';

let running: InProcess | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

const LINES = 1_000;

/** A tool that logs 40 MB, and says when it has. */
function chatty() {
  const { promise: said, resolve } = Promise.withResolvers<void>();
  const tool = createMcpTool('chatty')
    .description('Says much')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* (_params, ctx) {
      for (let n = 0; n < LINES; n++) yield* ctx.log('info', `line ${n} `.padEnd(40_000, 'x'));
      resolve();
      return 'that was all';
    });
  return { tool, said };
}

/** Calls the tool on a connection of its own, of which nothing is read yet. */
async function callUnread(url: URL, more: Record<string, string>, _meta: object) {
  const params = { name: 'chatty', arguments: {}, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params });
  const headers = {
    ...{ host: url.host, accept: 'application/json, text/event-stream' },
    ...{ 'content-type': 'application/json', 'content-length': String(body.length) },
    ...more,
  };
  const socket = connect(Number(url.port), url.hostname).pause();
  await once(socket, 'connect');
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.write(['POST /mcp HTTP/1.1', ...head, '', body].join('\r\n'));
  return socket;
}

/** What there is to read, up to the answer or the end of the connection. */
async function readAnswer(socket: Readable): Promise<readonly Message[]> {
  let answer = '';
  for await (const chunk of socket) {
    answer += String(chunk);
    if (answer.slice(-100).includes('"id":"call"}\n')) break;
  }
  return [...answer.matchAll(/^data: (\{.*\})\r?$/gm)].map(([, data]) => JSON.parse(data ?? '') as Message);
}

describe.each(['2025', '2026'])('a client of %s that reads more slowly than a tool logs', (era) => {
  it('keeps its call, and is told how many lines it was too slow for', async () => {
    const { tool, said } = chatty();
    running = await startServer({ tools: [tool] });
    const session = era === '2025' ? await openSession(running.url) : undefined;
    const socket = session
      ? await callUnread(running.url, session.headers, {})
      : await callUnread(
          running.url,
          { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'chatty' },
          envelope({}, { 'io.modelcontextprotocol/logLevel': 'info' }),
        );
    await said;
    const messages = await readAnswer(socket);
    expect(messages.at(-1)?.result?.content).toEqual([{ type: 'text', text: 'that was all' }]);
    const lines = messages.slice(0, -1).flatMap(({ params }) => (params ? [String(params.data)] : []));
    const missing = lines.filter((line) => line.includes('are missing here'));
    expect(missing.length).toBeGreaterThan(0);
    const dropped = missing.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
    expect(lines.length - missing.length + dropped).toBe(LINES);
    expect(lines.at(-1)).toContain(`line ${LINES - 1} `);
  });
});
