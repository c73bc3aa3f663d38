import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { resultsRoot } from './paths.ts';

/** Takes a picture of the window to `test-results/<name>.png` and returns that path. */
export async function screenshot(page: Page, name: string): Promise<string> {
  await mkdir(resultsRoot, { recursive: true });
  const path = join(resultsRoot, `${name.replace(/[^\w-]+/g, '-')}.png`);
  await page.screenshot({ path });
  return path;
}
