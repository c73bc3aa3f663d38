// @module-tag long
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { accessibilityProblems } from '#test/harness/axe.ts';
import { launchBrowser } from '#test/harness/browser.ts';
import { tempFolder } from '#test/temp-folder.ts';
import { root } from '../root.ts';
import { client2025, stdio2025 } from './kit/clients.ts';
import { PACKS } from './kit/pack-journeys.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
}, 180_000);
afterAll(() => browser?.close());

it.each(PACKS)(
  'the pack %s is run and finished in a browser, by an agent that cannot ask',
  async (pack, tool, _, begin) => {
    await using journey = await begin();
    const folder = tempFolder();
    const opener = join(folder, 'opener.sh');
    await writeFile(opener, `#!/bin/sh\necho "$1" >> ${join(folder, 'opened')}\n`);
    await chmod(opener, 0o700);
    const client = client2025();
    const env = {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? '',
      PARLEY_OPENER: opener,
      ...journey.env,
    };
    try {
      await client.connect(stdio2025([join(root, 'examples/packs', pack)], env));
      const call = client.callTool({ name: tool, arguments: journey.params }, undefined, {
        timeout: 300_000,
      });
      // A call that ends before it asks says why.
      const asked = vi.waitFor(() => readFile(join(folder, 'opened'), 'utf8'), { timeout: 120_000 });
      const address = await Promise.race([
        asked,
        call.then((ended) => Promise.reject(new Error(JSON.stringify(ended)))),
      ]);
      const page = await (await browser.newContext()).newPage();
      await page.goto(address.trim());
      const shown = page.frameLocator('iframe');
      for (const question of journey.questions) {
        const answer = await question(shown);
        expect(await accessibilityProblems(page)).toEqual([]);
        await answer();
      }
      expect(await call).toMatchObject({ structuredContent: { summary: expect.any(String) } });
      journey.check();
    } finally {
      await client.close();
    }
  },
  420_000,
);
