import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { pick, takeMenuItem } from '#harness';
import { callRow } from './calls-view.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

const patience = { timeout: 60_000 };

/** What the open menu offers of ours and others. Closes it. */
async function offered(page: Page): Promise<string[]> {
  const items = page.locator('.monaco-menu .action-label');
  await items.first().waitFor();
  const labels = await items.allTextContents();
  await page.keyboard.press('Escape');
  await items.first().waitFor({ state: 'detached' });
  return labels;
}

/** The button of a tab's menu, in the column of this number. */
const more = (page: Page, column = 0) =>
  page.locator('.editor-group-container').nth(column).locator('.editor-actions .codicon-toolbar-more');

const copied = (page: Page) => page.evaluate(() => navigator.clipboard.readText());

describe('the menus of a run panel', () => {
  test('are about its own call, and offer what can be done with that', async ({ page, workbench }) => {
    const { bridge } = workbench;
    const asking = bridge.execute('parley.runTool', 'ask_twice', { name: 'Grace' }).catch(String);
    await panels.panelShowing(page, 'Ask twice', 'First question for Grace');
    await bridge.execute('parley.runTool', 'word_count', { text: 'one two' });
    await panels.panelShowing(page, 'Count words', 'Done');

    // It has ended: there is nothing to stop, whatever else runs.
    await more(page).click();
    const ofEnded = await offered(page);
    expect(ofEnded).toContain('Copy Transcript as JSON');
    expect(ofEnded).not.toContain('Stop Call');
    await page.locator('.editor-actions .codicon-book').click();
    await page.locator('.tab.active', { hasText: /Count words .*\.md/ }).waitFor();

    // Nothing has happened yet that could be shown.
    void bridge.execute('parley.runTool', 'book_flight').catch(() => {});
    await panels.panelShowing(page, 'Book a flight', 'Not started');
    await page.locator('.editor-actions .codicon-book').waitFor({ state: 'detached' });
    await more(page).click();
    const ofForm = await offered(page);
    expect(ofForm).toContain('Stop Call');
    expect(ofForm).not.toContain('Copy Transcript as JSON');
    await more(page).click();
    await takeMenuItem(page, 'Copy Name');
    await expect.poll(() => copied(page), patience).toBe('book_flight');

    // The editor does not say which of two panels in sight a menu was of.
    await bridge.execute('workbench.action.moveEditorToNextGroup');
    await panels.panelShowing(page, 'Book a flight', 'Not started');
    await page.locator('.tab', { hasText: 'Count words — ' }).click();
    // It takes the keyboard when it comes, and would close a menu that is open.
    await panels.panelShowing(page, 'Count words', 'Done');
    await more(page, 1).click();
    await takeMenuItem(page, 'Copy Name');
    await pick(page, 'Count words');
    await expect.poll(() => copied(page), patience).toBe('word_count');

    await bridge.execute('parley.abortAllCalls');
    expect(await asking).toContain('the user stopped it');
  });
});

describe('the menu of a call in the Calls view', () => {
  test('offers what can be done with it', async ({ page, workbench: { bridge } }) => {
    const menuOf = async (title: string, status: string) => {
      await callRow(page, title).getByText(status).click({ button: 'right' });
      return offered(page);
    };
    await bridge.execute('parley.calls.focus');
    void bridge.execute('parley.runTool', 'book_flight').catch(() => {});
    await panels.panelShowing(page, 'Book a flight', 'Not started');
    expect(await menuOf('Book a flight', 'parameters')).toEqual(['Show Call', 'Stop Call', '', 'Copy Name']);
    await bridge.execute('parley.abortAllCalls');

    await bridge.execute('parley.runTool', 'word_count', { text: 'one two' });
    // It takes the keyboard when it comes, and would close a menu that is open.
    await panels.panelShowing(page, 'Count words', 'Done');
    const own = await menuOf('Count words', 'done');
    expect(own).toEqual(
      expect.arrayContaining(['Debug Again…', 'Save as Test', 'Copy Result', 'Delete Call']),
    );
    expect(own).not.toContain('Copy Error');

    // One of Parley's has no code here to debug, and no file that a test could import.
    const asked = bridge.execute('parley.tryOut').catch(String);
    await callRow(page, 'Plan lunch').getByText('This tool paused').waitFor();
    await bridge.execute('parley.abortAllCalls');
    await asked;
    await panels.panelShowing(page, 'Plan lunch', 'Stopped');
    const ofParley = await menuOf('Plan lunch', 'stopped,');
    expect(ofParley).toEqual(expect.arrayContaining(['Run Again…', 'Show Transcript']));
    expect(ofParley).not.toContain('Debug Again…');
    expect(ofParley).not.toContain('Save as Test');
  });
});
