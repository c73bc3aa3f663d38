import { describe } from 'vitest';
import { quickInput, runCommand, screenshot, switchTheme } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('every day', () => {
  test('the status bar says how many questions wait, and leads to the one that has waited longest', async ({
    page,
    workbench,
  }) => {
    const item = page.locator('.statusbar-item[id="parley.waiting"], .statusbar-item[id$="parley.waiting"]');
    await panels.runTool(page, 'Show every kind of field');
    await item.getByText('1').waitFor();
    await panels.runTool(page, 'Book a flight').then((panel) => panels.fillRoute(page, panel, 'AMS', 'LIS'));
    await item.getByText('2').waitFor();
    for (const theme of ['light', 'dark', 'high-contrast'] as const) {
      await switchTheme(workbench, theme);
      await screenshot(page, `status-bar-${theme}`);
    }
    await item.locator('a, [role=button]').first().click();
    const oldest = await panels.panelOf(page, 'Show every kind of field');
    await panels.button(oldest, 'Cancel').click();
    await item.getByText('1').waitFor();
    // By the keyboard alone.
    await workbench.bridge.execute('workbench.files.action.focusFilesExplorer');
    await page.keyboard.press('Control+k');
    await page.keyboard.press('a');
    const next = await panels.panelOf(page, 'Book a flight');
    await panels.button(next, 'Cancel').click();
    await item.waitFor({ state: 'hidden' });
  });

  test('the last tool runs again with what it had, and is the first of the list', async ({ page }) => {
    const panel = await panels.runTool(page, 'Count words');
    await panels.field(panel, 'Text').fill('one two three');
    await panels.button(panel, 'Run').click();
    await panels.resultOf(panel);
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Parley: Run Last Tool Again');
    const again = await panels.panelOf(page, 'Count words');
    expect((await panels.resultOf(again)).Words).toBe('3');
    await runCommand(page, 'Parley: Run Tool…');
    await quickInput(page).getByPlaceholder('Pick a tool to run').waitFor();
    const first = quickInput(page).locator('.monaco-list-row').first();
    await expect
      .poll(() => first.textContent(), { timeout: 60_000 })
      .toMatch(/Count words.*Recent|Recent.*Count words/s);
    await page.keyboard.press('Escape');
  });

  test('a tool runs beside the code, and its next run takes the place of the one that is done', async ({
    page,
    workbench,
  }) => {
    const tabs = () =>
      workbench.bridge.evaluate(
        (api) => api.window.tabGroups.all.map((group) => group.tabs.map(({ label }) => label)),
        undefined,
      );
    await workbench.bridge.evaluate(async (api) => {
      await api.window.showTextDocument(await api.workspace.openTextDocument({ content: 'the code' }));
    }, undefined);
    for (const text of ['one two', 'one two three']) {
      await workbench.bridge.execute('parley.runTool', 'word_count', { text });
      await expect
        .poll(tabs, { timeout: 60_000 })
        .toEqual([[expect.stringMatching(/the code|Untitled/)], [`Count words — ${text}`]]);
    }
    expect((await panels.resultOf(await panels.panelShowing(page, 'Count words', 'three'))).Words).toBe('3');
  });
});
