import { existsSync, readFileSync } from 'node:fs';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { accessibilityProblems } from '#test/harness/axe.ts';
import { launchBrowser } from '#test/harness/browser.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { client2025, stdio2025 } from './kit/clients.ts';
import { bookFlight } from './kit/parley-serve.ts';

const PATIENT = { timeout: 60_000 };

let browser: Browser;
let folder: string;
beforeAll(async () => {
  browser = await launchBrowser();
}, 180_000);
beforeEach(async () => {
  folder = tempFolder();
  const opener = join(folder, 'opener.sh');
  await writeFile(opener, `#!/bin/sh\necho "$1" >> ${join(folder, 'opened')}\n`);
  await chmod(opener, 0o700);
});
afterAll(async () => {
  await browser?.close();
});

/** What the opener was given. */
function opened(): string[] {
  const file = join(folder, 'opened');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
}

/** The tab, with what its console complained of. */
async function tabAt(complaints: string[]): Promise<Page> {
  await vi.waitFor(() => expect(opened()).toHaveLength(1), PATIENT);
  const page = await (await browser.newContext()).newPage();
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(opened()[0] ?? '');
  return page;
}

it('two questions of an agent without forms are two frames of one tab, which outlives a reload', async () => {
  const client = client2025();
  await client.connect(
    stdio2025([bookFlight], { PATH: process.env.PATH ?? '', PARLEY_OPENER: join(folder, 'opener.sh') }),
  );
  try {
    const book = (destination: string) =>
      client.callTool({ name: 'book_flight', arguments: { from: 'AMS', destination } });
    const calls = [book('LIS'), book('OPO')];
    const complaints: string[] = [];
    const page = await tabAt(complaints);
    await page.locator('iframe').nth(1).waitFor(PATIENT);
    expect(await page.title()).toMatch(/^\(2\) Questions – /);
    expect(new URL(page.url())).toMatchObject({ hostname: 'parley.localhost', pathname: '/', search: '' });
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.reload();
    for (const nth of [0, 1]) {
      const within = page.frameLocator(`iframe >> nth=${nth}`);
      await within.getByRole('button', { name: 'Decline' }).waitFor(PATIENT);
    }
    for (let left = 2; left > 0; left--) {
      await page.frameLocator('iframe >> nth=0').getByRole('button', { name: 'Decline' }).click();
      await vi.waitFor(
        async () => expect(await page.title()).toMatch(left > 1 ? /^\(1\) Question – / : /^Questions/),
        PATIENT,
      );
    }
    for (const { content } of await Promise.all(calls)) expect(content).not.toEqual([]);
    expect(complaints).toEqual([]);
    expect(opened()).toHaveLength(1);

    const stranger = await (await browser.newContext()).newPage();
    await stranger.goto(page.url());
    expect(await stranger.locator('h1').textContent()).toBe('0 questions');
    await stranger.getByRole('button', { name: 'Open in my browser' }).click();
    await vi.waitFor(() => expect(opened()).toHaveLength(2), PATIENT);
    expect(await stranger.locator('iframe').count()).toBe(0);
    await client.close();
    await page.getByText('has ended').waitFor(PATIENT);
  } finally {
    await client.close();
  }
}, 180_000);
