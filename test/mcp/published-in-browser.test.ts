import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
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
  await page.getByRole('button', { name: 'Continue' }).click();
  const within = page.frameLocator('iframe');
  await within.getByRole('button', { name: 'Decline' }).waitFor({ timeout: 60_000 });
  expect(await page.locator('header').textContent()).toContain('Code: ');

  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(params.url);
  expect(await stranger.textContent('h1')).toBe('This link was already used');

  await within.getByRole('button', { name: 'Decline' }).click();
  const { result } = await reply.until((message) => message.result !== undefined);
  expect(result.content[0].text).not.toBe('');
  expect(complaints).toEqual([]);
}, 180_000);

it('a person answers in a browser what a client of 2026-07-28 sends them to, and all that is asked then is on the same page', async () => {
  served = await serveHttp([bookFlight]);
  const client = new Client(
    { name: 'later', version: '1' },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  );
  const links: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    links.push((params as { url: string }).url);
    return { action: 'accept' };
  });
  const headers = { authorization: `Bearer ${served.token}` };
  await client.connect(new StreamableHTTPClientTransport(served.url, { requestInit: { headers } }));
  try {
    const call = client.callTool(
      { name: 'book_flight', arguments: { from: 'AMS', destination: 'LIS' } },
      { timeout: 170_000 },
    );
    await vi.waitFor(() => expect(links).toHaveLength(1), { timeout: 60_000 });
    const page = await (await browser.newContext()).newPage();
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto(links[0] ?? '');
    await page.getByRole('button', { name: 'Continue' }).click();
    const within = page.frameLocator('iframe');
    await within.getByRole('radio').first().check({ force: true });
    await within.getByRole('button', { name: /^Choose [A-Z]{2} \d{3}$/ }).click();
    // The next question is on the same page, and nobody is sent anywhere for it.
    const seat = within.getByRole('button', { name: /, available$/ }).first();
    await seat.click();
    await within.getByRole('button', { name: /^Choose seat/ }).click();
    const { content } = await call;
    expect(JSON.stringify(content)).toMatch(/PAR-[A-Z2-9]{6}/);
    expect(links).toHaveLength(1);
    expect(complaints).toEqual([]);
  } finally {
    await client.close();
  }
}, 180_000);
