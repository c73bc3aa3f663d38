import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, inject, onTestFinished } from 'vitest';
import { quickInput, repoRoot, runCommand, screenshot, switchTheme, takeMenuItem } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';
import { openToolsView } from './tools-view.ts';

/** Closes all editors, and waits until they are: a key that comes before may go to one of them, and what it shows is of before. */
async function closeEditors(page: Page): Promise<void> {
  await runCommand(page, 'View: Close All Editors');
  await expect.poll(() => page.locator('.tab').count()).toBe(0);
}

describe('every day', () => {
  test('the status bar says how many questions wait, and leads to the one that has waited longest', async ({
    page,
    workbench,
  }) => {
    const item = panels.waitingItem(page);
    await panels.runTool(page, 'Show every kind of field');
    await item.getByText('1').waitFor();
    await panels.runTool(page, 'Book a flight').then((panel) => panels.fillRoute(page, panel, 'AMS', 'LIS'));
    await item.getByText('2').waitFor();
    for (const theme of panels.themes) {
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
    await closeEditors(page);
    await runCommand(page, 'Parley: Run Last Tool Again');
    const again = await panels.panelOf(page, 'Count words');
    expect((await panels.resultOf(again)).Words).toBe('3');
    await runCommand(page, 'Parley: Run Tool…');
    await quickInput(page).getByPlaceholder('Choose a tool to run').waitFor();
    const first = quickInput(page).locator('.monaco-list-row').first();
    await expect
      .poll(() => first.textContent(), { timeout: 60_000 })
      .toMatch(/Count words.*Recent|Recent.*Count words/s);
    // With what it had last: no form.
    await closeEditors(page);
    await runCommand(page, 'Parley: Run Tool…');
    await quickInput(page).getByPlaceholder('Choose a tool to run').waitFor();
    await expect.poll(() => first.textContent(), { timeout: 60_000 }).toContain('Count words');
    await page.keyboard.press('Alt+Enter');
    const once = await panels.panelOf(page, 'Count words');
    expect((await panels.resultOf(once)).Words).toBe('3');
  });

  test('keys run tools: those that a person writes as documented, and those of Parley', {
    tags: 'long',
  }, async ({ page, workbench, workspace }) => {
    const docs = await readFile(join(repoRoot, 'docs', 'in-the-editor.md'), 'utf8');
    const written = /```json\n(\[\n {2}\{ "key".*?)```/s.exec(docs)?.[1] ?? '';
    const file = join(dirname(inject('server').settingsFile), 'keybindings.json');
    onTestFinished(() => rm(file));
    await writeFile(file, written);
    // The editor need not notice what others write.
    await reloadWindow(workbench);
    const press = async (key: string) => {
      await page.keyboard.press('Control+k');
      await page.keyboard.press(key);
    };
    // A panel may give way to the next one while it is read.
    const shown = () => panels.panelOf(page, 'Count words').then(panels.resultOf);
    const words = (count: string) =>
      expect.poll(() => shown().then(({ Words }) => Words, String), { timeout: 60_000 }).toBe(count);
    await workbench.bridge.evaluate(
      async (api, path) => {
        const selection = new api.Range(2, 0, 2, 'A folder as'.length);
        await api.window.showTextDocument(api.Uri.file(path), { selection });
      },
      join(workspace, 'README.md'),
    );
    // With parameters.
    await press('h');
    await words('2');
    await workbench.bridge.execute('workbench.action.focusFirstEditorGroup');
    await press('j');
    await words('3');
    await press('g');
    const form = await panels.panelShowing(page, 'Count words', 'Counts the words of a text');
    await panels.field(form, 'Text').fill('one');
    await panels.submit(form);
    await words('1');

    await closeEditors(page);
    await press('l');
    await words('1');
    await closeEditors(page);
    await press('Shift+X');
    await words('1');
    await press('x');
    await quickInput(page).getByPlaceholder('Choose a tool to run').waitFor();
  });

  test('what a call was and gave is copied from the menus of the views', async ({ page, workbench }) => {
    const { bridge } = workbench;
    await bridge.execute('parley.runTool', 'word_count', { text: 'one two' });
    // It takes the keyboard, and would close a menu that is open.
    await panels.panelShowing(page, 'Count words', 'Done');
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

  test('a tool runs beside the code, and its next run takes the place of the one that is done', {
    tags: 'long',
  }, async ({ page, workbench }) => {
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
