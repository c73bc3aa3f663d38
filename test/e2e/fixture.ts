import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { test as base, expect, inject } from 'vitest';
import {
  exampleWorkspace,
  launchBrowser,
  openWorkbench,
  resetSettings,
  screenshot,
  shownIn,
  type Workbench,
} from '#harness';
import { toolNames } from './tool-files.ts';

export { expect } from 'vitest';

/** Tools that do what no tool should: they break, or ask more than once. */
const fixtureTools = join(import.meta.dirname, 'fixtures');

/** What a test can ask for by naming it in its first parameter. */
export interface Fixtures {
  /** One for the whole run; every window gets a context of its own in it. */
  readonly browser: Browser;
  /** A folder with a copy of the example workspace and of our fixture tools; one for the whole run. */
  readonly workspace: string;
  /** A window on that folder, one for the whole run: on slow cores it takes longer to open and load its tools than a test to run. */
  readonly window: Workbench;
  /** That window: no editor, call or notification left over, the demo model on, Parley active. */
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
  workspace: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const parent = await mkdtemp(join(tmpdir(), 'parley-e2e-'));
      const folder = join(parent, 'workspace');
      await cp(exampleWorkspace, folder, { recursive: true });
      await cp(fixtureTools, join(folder, '.parley', 'tools', 'fixtures'), { recursive: true });
      await use(folder);
      await rm(parent, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  window: [
    async ({ browser, workspace }, use) => {
      const server = inject('server');
      await resetSettings(server);
      const window = await openWorkbench(browser, server, { workspace });
      window.page.setDefaultTimeout(60_000);
      await ready(window);
      await use(window);
      await window.close();
    },
    { scope: 'worker' },
  ],
  workbench: async ({ window, task }, use) => {
    // A test that failed may have left it without an extension host: the next one is not to fail for that.
    if (!(await window.bridge.isAlive())) await reloadWindow(window);
    await tidy(window);
    try {
      await use(window);
    } finally {
      if (task.result?.state === 'fail') {
        await screenshot(window.page, `e2e-${task.name}`);
        const shown = await shownIn(window.page);
        for (const error of task.result.errors ?? [])
          error.stack = `${shown}\n${error.stack ?? error.message}`;
      }
    }
  },
  page: async ({ workbench }, use) => use(workbench.page),
});

/** Reloads the window as a person would, and leaves it as tests find it: Parley active, the workspace's tools there. */
export async function reloadWindow(window: Workbench): Promise<void> {
  await window.reload();
  await ready(window);
}

/** The window's extension host dies and comes again: its calls are gone, what the page shows is not. */
export async function killExtensions(window: Workbench): Promise<void> {
  await window.killExtensions();
  await ready(window);
}

async function ready(window: Workbench): Promise<void> {
  await window.bridge.activate('parley.parley-mcp');
  // Their first build is slow where cores are.
  await expect.poll(() => toolNames(window.bridge), { timeout: 240_000 }).toContain('book_flight');
}

/** Ends what the test before has left, so that no test depends on another. */
async function tidy({ page, bridge }: Workbench): Promise<void> {
  await page.keyboard.press('Escape');
  await page.mouse.move(0, 0);
  await bridge.evaluate(async (api) => {
    const setting = api.workspace.getConfiguration();
    if (setting.inspect('workbench.colorTheme')?.globalValue !== undefined)
      await setting.update('workbench.colorTheme', undefined, api.ConfigurationTarget.Global);
    // Closing a changed one would ask whether to save it, and wait.
    for (const document of api.workspace.textDocuments) {
      if (!document.isDirty) continue;
      await api.window.showTextDocument(document);
      await api.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    for (const command of [
      'workbench.action.closeQuickOpen',
      'parley.abortAllCalls',
      'workbench.action.closeAllEditors',
      'workbench.action.closePanel',
      'workbench.action.closeAuxiliaryBar',
      'notifications.clearAll',
      'workbench.view.explorer',
      'parley.clearFinishedCalls',
      'parleyDemo.reset',
    ])
      await api.commands.executeCommand(command);
  }, undefined);
}
