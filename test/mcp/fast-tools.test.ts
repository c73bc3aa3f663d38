import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { createMcpTool } from 'parley-mcp';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startServer } from './kit/in-process.ts';
import { callUnread, readAnswer } from './kit/unread-call.ts';
import { type Message, openSession } from './kit/wire.ts';

const LINES = 1_000;

/** A tool that logs 40 MB, and says when it has. */
function chatty(name = 'chatty') {
  const { promise: said, resolve } = Promise.withResolvers<void>();
  const tool = createMcpTool(name)
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

describe.each(['2025', '2026'])('a client of %s that reads more slowly than a tool logs', (era) => {
  it('keeps its call, and is told how many lines it was too slow for', async () => {
    const { tool, said } = chatty();
    const running = await startServer({ tools: [tool] });
    const session = era === '2025' ? (await openSession(running.url)).headers : undefined;
    const socket = await callUnread(running.url, 'chatty', { ...(session && { session }) });
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

it('calls of one batch, whose stream they share, lose no more of their logs than they are told of', async () => {
  const calls = ['one', 'two', 'three'].map((name) => ({ name, ...chatty(name) }));
  const running = await startServer({ tools: calls.map(({ tool }) => tool) });
  const { headers } = await openSession(running.url, {}, {}, '2025-03-26');
  const batch = calls.map(({ name }, id) => ({
    ...{ jsonrpc: '2.0', id, method: 'tools/call' },
    params: { name, arguments: {} },
  }));
  const socket = request(running.url, {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
  });
  socket.end(JSON.stringify(batch));
  const [response] = (await once(socket, 'response')) as [IncomingMessage];
  await Promise.all(calls.map(({ said }) => said));
  const messages = (await text(response)).split('\n').filter((line) => line.startsWith('data: {'));
  const heard = new Map<string, number>();
  for (const line of messages) {
    const { params } = JSON.parse(line.slice('data: '.length)) as Message;
    if (!params) continue;
    const missing = /^(\d+) .*are missing here/.exec(String(params.data));
    const logger = String(params.logger);
    heard.set(logger, (heard.get(logger) ?? 0) + (missing ? Number(missing[1]) : 1));
  }
  expect(Object.fromEntries(heard)).toEqual({ one: LINES, two: LINES, three: LINES });
});
