import type { Page } from 'playwright-core';
import { describe } from 'vitest';
import { quickInput, quickPickRow, runCommand, webviewFrame } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('a panel out of sight', () => {
  test('behind another tab and back, it keeps the question and what was typed', async ({
    page,
    workbench,
  }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' });
    const before = await panels.panelOf(page, 'Ask twice');
    await panels.field(before, 'Your answer').fill('half an ans');
    await workbench.bridge.evaluate(async (api) => {
      const [folder] = api.workspace.workspaceFolders ?? [];
      if (folder === undefined) throw new Error('no folder');
      await api.window.showTextDocument(api.Uri.joinPath(folder.uri, 'README.md'), {
        viewColumn: 1,
        preview: false,
      });
    }, undefined);
    await page.locator('.tab.active', { hasText: 'README.md' }).waitFor();
    await page.locator('.tab', { hasText: '● Ask twice' }).click();
    const after = await panels.panelOf(page, 'Ask twice');
    await after.getByText('First question for Ada').first().waitFor();
    await expect.poll(() => panels.field(after, 'Your answer').inputValue()).toBe('half an ans');
    await panels.typeInto(panels.field(after, 'Your answer'), 'wer');
    await panels.submit(after);
    await after.getByText('Second question for Ada').first().waitFor();
    await panels.button(after, 'Decline').click();
    expect(await ended).toEqual({ first: 'accept', second: 'decline' });
  });

  test('two calls at once are answered apart', { tags: 'long' }, async ({ page }) => {
    const first = await panels.searchFlights(page, 'AMS', 'LIS');
    await first.getByText('from AMS to LIS').first().waitFor();
    const second = await panels.searchFlights(page, 'BER', 'JFK');
    await second.getByText('from BER to JFK').first().waitFor();
    await panels.takeFirstFlight(second);
    await page.locator('.tab', { hasText: 'Book a flight' }).first().click();
    const back = await visiblePanel('from AMS to LIS');
    await back.getByText('from AMS to LIS').first().waitFor();
    await panels.button(back, 'Decline').click();
    expect(await panels.resultOf(back)).toMatchObject({ Status: 'not_booked' });
    await page.locator('.tab', { hasText: 'Book a flight' }).last().click();
    const other = await visiblePanel('Pick a seat on');
    await other.getByRole('grid').waitFor();
    await panels.takeFirstSeat(other);
    expect((await panels.resultOf(other)).Summary).toContain('from Berlin to New York');

    /** The panel on show, once it is the one with this text. */
    function visiblePanel(text: string) {
      return webviewFrame(page, { selector: `.stage-message:has-text("${text}")` });
    }
  });
});

describe('the list of tools', () => {
  // As a person has it: the list itself sees to it that nothing closes it.
  const closesWithoutFocus = (closes: boolean) => ({ 'workbench.quickOpen.closeOnFocusLost': closes });
  test.beforeEach(({ workbench }) => workbench.updateSettings(closesWithoutFocus(true)));
  test.afterEach(({ workbench }) => workbench.updateSettings(closesWithoutFocus(false)));
  const opened = (page: Page) => quickInput(page).getByPlaceholder('Choose a tool to run').waitFor();
  /** Types as a person does, wherever the keyboard is (`takeRow` would put it into the list), and again what a panel took. */
  const look = async (page: Page, title: string) => {
    const input = quickInput(page).locator('input');
    const typed = async () => {
      await quickInput(page).locator('input:focus').waitFor();
      await panels.retype(page, title);
      return input.inputValue();
    };
    await expect.poll(typed, { timeout: 60_000 }).toBe(title);
    await quickPickRow(page, title).and(page.locator('.focused')).waitFor();
  };

  test('opened from a panel has the keyboard: what is typed is looked for, and Escape closes it', async ({
    page,
  }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    const field = panels.field(panel, 'From');
    await field.focus();
    await runCommand(page, 'Parley: Run Tool…');
    await opened(page);
    await look(page, 'Count words');
    await page.keyboard.press('Escape');
    await quickInput(page).waitFor({ state: 'hidden' });
    // It stays closed, whatever the panel does with the keyboard.
    await field.focus();
    await page.keyboard.type('AMS');
    await expect.poll(() => field.inputValue(), { timeout: 60_000 }).toContain('AMS');
    expect(await quickInput(page).isVisible()).toBe(false);

    await page.keyboard.press('Control+k');
    await page.keyboard.press('x');
    await opened(page);
    await look(page, 'Count words');
    await page.keyboard.press('Enter');
    await panels.panelOf(page, 'Count words');
  });

  test('takes the keyboard back from a panel that takes it', async ({ page }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.field(panel, 'From').focus();
    await runCommand(page, 'Parley: Run Tool…');
    await opened(page);
    // As VS Code gives it back, late, when the command palette has closed.
    await panels.field(panel, 'Destination').focus();
    await look(page, 'Show every kind of field');
    await page.keyboard.press('Enter');
    await panels.panelOf(page, 'Show every kind of field');
  });
});
