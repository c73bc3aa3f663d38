import type { Browser, Locator } from 'playwright-core';
import { describe, inject, onTestFinished } from 'vitest';
import { openWorkbench, screenshot, type Workbench } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import { changeKeptCalls } from './kept-calls.ts';
import * as panels from './panel.ts';
import { toolNames } from './tool-files.ts';

describe('two windows on one folder', { timeout: 600_000 }, () => {
  test('each know where a call is; it goes on in the other once its own window is gone', {
    tags: 'long',
  }, async ({ browser, page, workbench, workspace }) => {
    const other = await askedBeside(browser, workbench, workspace);
    expect(await rows(other, 'Second question').count()).toBe(0);

    // The other window looks every second: it is not to have the call just because its own is loading.
    await fresh(() => reloadWindow(workbench));
    await workbench.bridge.execute('parley.calls.focus');
    await rows(workbench, 'Second question').waitFor();
    await elsewhere(other).waitFor();
    expect(await rows(other, 'Second question').count()).toBe(0);

    await workbench.reopen(async () => {
      await expect.poll(() => lapse(rows(other, 'Second question')), { timeout: 60_000 }).toBe(true);
      await elsewhere(other).waitFor({ state: 'hidden' });
      expect(await answeredIn(other)).toMatchObject({ First: 'accept', Second: 'twice' });
    });
    await workbench.bridge.activate('parley.parley-mcp');
    await workbench.bridge.execute('parley.calls.focus');
    await page.locator('.pane-body .monaco-list-row', { hasText: 'Earlier' }).waitFor();
    expect(await rows(workbench, 'Second question').count()).toBe(0);
  });

  test('answered in both at the same moment, a call goes on once: in the one that has it; the other says so', async ({
    browser,
    page,
    workbench,
    workspace,
  }) => {
    const other = await askedBeside(browser, workbench, workspace);
    const mine = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    await panels.field(mine, 'Your answer').fill('held up');

    // As after this window was held up for half a minute: it may not know yet that the other has the call.
    await expect.poll(() => lapse(rows(other, 'Second question')), { timeout: 60_000 }).toBe(true);
    await other.bridge.execute('parley.showWaiting');
    const theirs = await panels.panelShowing(other.page, 'Ask twice', 'Second question for Ada');
    await panels.field(theirs, 'Your answer').fill('in time');
    await Promise.all([mine, theirs].map(panels.submit));
    expect(await panels.resultOf(theirs)).toMatchObject({ First: 'accept', Second: 'in time' });
    await mine.getByText('This call continues in another window').first().waitFor();
  });
});

/** A call that has one answer, and another window on its folder, which knows of it. */
async function askedBeside(browser: Browser, workbench: Workbench, workspace: string): Promise<Workbench> {
  await askedOnce(workbench);
  const other = await openBeside(browser, workbench, workspace);
  await other.bridge.execute('parley.calls.focus');
  await elsewhere(other).waitFor();
  return other;
}

/** A call that has one answer and waits for the next. */
async function askedOnce({ bridge, page }: Workbench): Promise<void> {
  bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(() => {});
  const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
  await panels.field(panel, 'Your answer').fill('once');
  await panels.submit(panel);
  await panel.getByText('Second question for Ada').first().waitFor();
}

async function answeredIn({ bridge, page }: Workbench): Promise<unknown> {
  await bridge.execute('parley.showWaiting');
  const panel = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
  await panels.field(panel, 'Your answer').fill('twice');
  await panels.submit(panel);
  return await panels.resultOf(panel);
}

async function openBeside(browser: Browser, beside: Workbench, workspace: string): Promise<Workbench> {
  const other = await openWorkbench(browser, inject('server'), { workspace, beside });
  other.page.setDefaultTimeout(60_000);
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') await screenshot(other.page, 'e2e-two-windows');
    await other.close();
  });
  await other.bridge.activate('parley.parley-mcp');
  await expect.poll(() => toolNames(other.bridge), { timeout: 240_000 }).toContain('ask_twice');
  return other;
}

/** Rows of the Calls view of a window. */
function rows({ page }: Workbench, text: string): Locator {
  return page.locator('.pane-body .monaco-list-row', { hasText: text });
}

/** What the Calls view says of calls of other windows. */
function elsewhere({ page }: Workbench): Locator {
  return page.getByText('In another window on this folder: Ask twice');
}

/** Lets all claims lapse, as if nobody had renewed them for half a minute; says whether the row is there. */
async function lapse(row: Locator): Promise<boolean> {
  await touch(Date.now() - 31_000);
  return await row.isVisible();
}

/** While a window is loaded again, however long this machine takes for that, it is not away for longer than a moment. */
async function fresh(work: () => Promise<void>): Promise<void> {
  const timer = setInterval(() => void touch(Date.now()).catch(() => {}), 1_000);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}

/** Says of all calls that are kept when they were touched last. */
async function touch(milliseconds: number): Promise<void> {
  await changeKeptCalls(inject('server').settingsFile, `update calls set touched = ${milliseconds}`);
}
