import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { accessibilityProblems } from '#test/harness/axe.ts';
import { launchBrowser } from '#test/harness/browser.ts';
import { bookFlight, type Served, serveHttp } from './kit/parley-serve.ts';
import { openSession } from './kit/wire.ts';

let browser: Browser;
let served: Served | undefined;
beforeAll(async () => {
  browser = await launchBrowser();
}, 180_000);
afterEach(async () => {
  await served?.stop('SIGKILL');
  served = undefined;
});
afterAll(async () => {
  await browser?.close();
});

it('a person answers in a browser what a client without forms sends them to, and another tab gets nothing', async () => {
  served = await serveHttp([bookFlight]);
  const session = await openSession(
    served.url,
    { elicitation: { url: {} }, sampling: { tools: {} } },
    { authorization: `Bearer ${served.token}` },
  );
  const reply = await session.request(1, 'tools/call', {
    name: 'book_flight',
    arguments: { from: 'AMS', destination: 'LIS' },
  });
  const { id, params } = await reply.until(({ method }) => method === 'elicitation/create');
  await session.answer(id ?? 0, { action: 'accept' });

  const context = await browser.newContext();
  const complaints: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(params.url);
  expect(await accessibilityProblems(page)).toEqual([]);
  await page.getByRole('button', { name: 'Go on' }).click();
  const within = page.frameLocator('iframe');
  await within.getByRole('button', { name: 'Decline' }).waitFor({ timeout: 60_000 });
  expect(await page.locator('header').textContent()).toContain('Code: ');

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(params.url);
  expect(await stranger.textContent('h1')).toBe('This link was used');

  await within.getByRole('button', { name: 'Decline' }).click();
  const { result } = await reply.until((message) => message.result !== undefined);
  expect(result.content[0].text).not.toBe('');
  expect(complaints).toEqual([]);
}, 180_000);
