import { createMcpTool } from 'parley-mcp';
import { afterEach, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { type InProcess, startServer } from './kit/in-process.ts';
import { callUnread, readAnswer } from './kit/unread-call.ts';
import { openSession } from './kit/wire.ts';

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

describe.each(['2025', '2026'])('a client of %s that reads more slowly than a tool logs', (era) => {
  it('keeps its call, and is told how many lines it was too slow for', async () => {
    const { tool, said } = chatty();
    running = await startServer({ tools: [tool] });
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
