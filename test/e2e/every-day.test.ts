import { describe } from 'vitest';
import { quickInput, runCommand, screenshot, switchTheme, takeMenuItem } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';
import { openToolsView } from './tools-view.ts';

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
    // With what it had last: no form.
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Parley: Run Tool…');
    await quickInput(page).getByPlaceholder('Pick a tool to run').waitFor();
    await expect.poll(() => first.textContent(), { timeout: 60_000 }).toContain('Count words');
    await page.keyboard.press('Alt+Enter');
    const once = await panels.panelOf(page, 'Count words');
    expect((await panels.resultOf(once)).Words).toBe('3');
  });

  test('what a call was and gave is copied from the menus of the views', async ({ page, workbench }) => {
    const { bridge } = workbench;
    await bridge.execute('parley.runTool', 'word_count', { text: 'one two' });
    await openToolsView(workbench);
    const copied = () => bridge.evaluate((api) => api.env.clipboard.readText(), undefined);
    const row = (text: string) => page.locator('.pane-body .monaco-list-row', { hasText: text }).first();
    const take = async (text: string, item: string) => {
      await bridge.evaluate((api) => api.env.clipboard.writeText(''), undefined);
      await row(text).click({ button: 'right' });
      await takeMenuItem(page, item);
      await expect.poll(copied, { timeout: 60_000 }).not.toBe('');
      return await copied();
    };
    expect(await take('Book a flight', 'Copy Name')).toBe('book_flight');
    await bridge.execute('parley.calls.focus');
    await page.locator('.pane-header', { hasText: 'Calls' }).waitFor();
    expect(JSON.parse(await take('done', 'Copy as MCP Call')).params).toEqual({
      name: 'word_count',
      arguments: { text: 'one two' },
    });
    expect(JSON.parse(await take('done', 'Copy Result'))).toMatchObject({ words: 2 });
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
