import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { test as base, inject } from 'vitest';
import {
  exampleWorkspace,
  launchBrowser,
  openWorkbench,
  resetSettings,
  screenshot,
  type Workbench,
} from '../harness/index.ts';

export { expect } from 'vitest';

/** What a test can ask for by naming it in its first parameter. */
export interface Fixtures {
  /** One for the whole run; every window gets a context of its own in it. */
  readonly browser: Browser;
  /** A folder of its own with a copy of the example workspace, to be changed at will. */
  readonly workspace: string;
  /** A window on that folder: nothing remembered, settings as at the start, Parley and the demo model active. */
  readonly workbench: Workbench;
  /** That window's page. */
  readonly page: Page;
}

/** A Vitest test in a real VS Code window. A failed one leaves a screenshot in `test-results`. */
export const test = base.extend<Fixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from this pattern that nothing is needed
    async ({}, use) => {
      const browser = await launchBrowser();
      await use(browser);
      await browser.close();
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  workspace: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
    await cp(exampleWorkspace, folder, { recursive: true });
    await use(folder);
    await rm(folder, { recursive: true, force: true });
  },
  workbench: async ({ browser, workspace, task }, use) => {
    const server = inject('server');
    await resetSettings(server);
    const workbench = await openWorkbench(browser, server, { workspace });
    try {
      await workbench.bridge.activate('parley.parley-mcp');
      await workbench.bridge.execute('parleyDemo.reset');
      await use(workbench);
    } finally {
      if (task.result?.state === 'fail') await screenshot(workbench.page, `e2e-${task.name}`);
      await workbench.close();
    }
  },
  page: async ({ workbench }, use) => use(workbench.page),
});
