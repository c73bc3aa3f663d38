import { createMcpTool } from 'parley-mcp';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { as, startServer, tokensOf } from './kit/in-process.ts';
import { callUnread, readAnswer } from './kit/unread-call.ts';

const MB = 1024 * 1024;

it('many clients that do not read what they asked for lose connections; one of another principal keeps its own', async () => {
  let made = 0;
  const large = createMcpTool('large')
    .description('Gives much')
    .parameters(z.object({}))
    .elicits({})
    .execute(function* () {
      made += 1;
      return 'x'.repeat(12 * MB);
    });
  const running = await startServer(
    { tools: [large] },
    { tokens: tokensOf('greedy', 'modest'), limits: { maxUnreadInAll: 48 * MB } },
  );
  const modest = await callUnread(running.url, 'large', { headers: as('modest') });
  const greedy = await Promise.all(
    Array.from({ length: 20 }, () => callUnread(running.url as URL, 'large', { headers: as('greedy') })),
  );
  await expect.poll(() => made, { timeout: 30_000 }).toBe(21);
  await expect.poll(() => running.connections(), { timeout: 30_000 }).toBeLessThan(12);
  const [answer] = await readAnswer(modest);
  expect(answer?.result.content[0].text).toHaveLength(12 * MB);
  const left = await running.connections();
  expect(left).toBeGreaterThan(1);
  for (const socket of greedy) socket.destroy();
});
