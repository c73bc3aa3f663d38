import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, onTestFinished } from 'vitest';
import { answerDialog, takeMenuItem } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the history of calls', () => {
  test('is there after a reload: shown, run again, deleted', async ({ page, workbench }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Grace' });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Grace');
    await panels.field(panel, 'Your answer').fill('once');
    await panels.submit(panel);
    await panel.getByText('Second question for Grace').first().waitFor();
    await panels.button(panel, 'Decline').click();
    expect(await ended).toEqual({ first: 'accept', second: 'decline' });

    await reloadWindow(workbench);
    await workbench.bridge.execute('parley.calls.focus');
    const rows = page.locator('.monaco-list-row');
    const earlier = rows.filter({ hasText: 'Earlier' }).first();
    // A list that is drawn anew at the same moment forgets that it was to be opened.
    const open = async () => {
      const isOpen = (await earlier.getAttribute('aria-expanded')) === 'true';
      if (!isOpen) await earlier.click();
      return isOpen;
    };
    await expect.poll(open, { interval: 1_000 }).toBe(true);
    // By its name: calls of other tests are there, too, and as many as fit are drawn.
    const row = rows
      .filter({ hasText: 'Ask twice' })
      .filter({ hasText: 'done' })
      .filter({ hasText: 'Grace' });
    await row.click();
    // Panels of other tests may be there, too.
    const again = await panels.panelShowing(page, 'Ask twice', 'First question for Grace');
    expect(await panels.resultOf(again)).toMatchObject({ First: 'accept', Second: 'decline' });

    await panels.button(again, 'Run Again…').click();
    const form = await panels.panelShowing(page, 'Ask twice', 'Not started');
    await expect.poll(() => panels.field(form, 'Name').inputValue()).toBe('Grace');

    await row.click({ button: 'right' });
    await takeMenuItem(page, 'Delete Call');
    await row.waitFor({ state: 'detached' });
    void workbench.bridge.execute('parley.clearHistory');
    await answerDialog(page, 'Clear History');
  });

  test('a stopped call runs again with its answers: what is asked the same is not asked again', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Hopper' }).catch(() => {});
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Hopper');
    await panels.field(panel, 'Your answer').fill('once');
    await panels.submit(panel);
    await panel.getByText('Second question for Hopper').first().waitFor();
    await panels.button(panel, 'Stop').click();
    await panels.button(panel, 'Run Again with Same Answers…').click();
    // There are answers of the person alone: nothing is left to choose.
    // It only reads, so nothing is done twice, and nobody is warned of that.
    const again = await panels.panelShowing(page, 'Ask twice', 'Question 2');
    expect(await again.getByText('the first question ended with accept').count()).toBe(1);
    await panels.field(again, 'Your answer').fill('twice');
    await panels.submit(again);
    expect(await panels.resultOf(again)).toMatchObject({ First: 'accept', Second: 'twice' });
  });

  test('a call that is done is saved as a test, which opens', { tags: 'long' }, async ({
    page,
    workbench,
    workspace,
  }) => {
    const tests = join(workspace, '.parley', 'tests');
    const before = new Set(await readdir(tests).catch(() => []));
    // The others of this run know nothing of it.
    onTestFinished(async () => {
      const made = (await readdir(tests)).filter((name) => !before.has(name));
      await Promise.all(made.map((name) => rm(join(tests, name))));
    });
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Lovelace' });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Lovelace');
    for (const text of ['once', 'twice']) {
      await panels.field(panel, 'Your answer').fill(text);
      await panels.submit(panel);
      if (text === 'once') await panel.getByText('Second question for Lovelace').first().waitFor();
    }
    expect(await ended).toEqual({ first: 'accept', second: 'twice' });
    await workbench.bridge.execute('parley.calls.focus');
    const row = page
      .locator('.monaco-list-row')
      .filter({ hasText: 'Ask twice' })
      .filter({ hasText: 'Lovelace' });
    await row.click({ button: 'right' });
    await takeMenuItem(page, 'Save as Test');
    await page.locator('.tab.active', { hasText: 'ask_twice' }).waitFor();
    await page.locator('.view-line', { hasText: 'ask_twice gives what it gave' }).waitFor();
  });
});
