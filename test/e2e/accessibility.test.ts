import type { Frame } from 'playwright-core';
import { describe } from 'vitest';
import { accessibilityProblems, quickInput, type Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('nobody is kept out', () => {
  test('by the parameters, the flights, the seats or the ticket', async ({ page, workbench }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.field(panel, 'From').waitFor();
    await expectNoProblems(workbench, panel, 'the parameters');
    await panels.fillRoute(page, panel, 'AMS', 'LIS');
    await panels.flights(panel).first().waitFor();
    await panel.locator('.flight').nth(1).hover();
    await expectNoProblems(workbench, panel, 'the flight list');
    await page.mouse.move(0, 0);
    await panels.takeFirstFlight(panel);
    await expectNoProblems(workbench, panel, 'the seat picker');
    await panels.takeFirstSeat(panel);
    await panels.resultOf(panel);
    await expectNoProblems(workbench, panel, 'the result');
  });

  test('by a form with every kind of field and its errors', {
    tags: 'long',
  }, async ({ page, workbench }) => {
    const panel = await panels.runTool(page, 'Show every kind of field');
    await panels.field(panel, 'Name').waitFor();
    await expectNoProblems(workbench, panel, 'the form');
    await panels.button(panel, 'Submit').click();
    await panel.locator('.field-error').first().waitFor();
    await expectNoProblems(workbench, panel, 'the form with errors');
    await panels.button(panel, 'Cancel').click();
    await panels.resultOf(panel);
  });

  test('by parameters as JSON, which are edited by keyboard alone', async ({ page, workbench }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.button(panel, 'Edit as JSON').focus();
    await panels.pressIn(panel, 'Enter');
    const json = panel.locator('textarea:focus');
    await json.waitFor();
    await page.keyboard.insertText('nonsense');
    await panels.submit(panel);
    await panel.locator('.field-error').waitFor();
    await expectNoProblems(workbench, panel, 'JSON with an error');
    await json.fill('{ "from": "AMS", "destination": "LIS" }');
    await panels.button(panel, 'Back to the Form').focus();
    await panels.pressIn(panel, 'Enter');
    await panels.field(panel, 'From').and(panel.locator(':focus')).waitFor();
    expect(await panels.field(panel, 'From').inputValue()).toBe('AMS');
    await panels.button(panel, 'Edit as JSON').focus();
    await panels.pressIn(panel, 'Enter');
    await json.waitFor();
    await expectNoProblems(workbench, panel, 'JSON');
    await panels.submit(panel);
    await panels.flights(panel).first().waitFor();
  });
});

test('who leaves a panel for the palette or the Explorer is back in the field where they were', async ({
  page,
}) => {
  const panel = await panels.runTool(page, 'Show every kind of field');
  const nickname = panels.field(panel, 'Nickname');
  await nickname.focus();
  await panels.pressIn(panel, 'F1');
  await quickInput(page).locator('input:focus').waitFor();
  await page.keyboard.press('Escape');
  await nickname.and(panel.locator(':focus')).waitFor();
  await panels.pressIn(panel, 'Control+Shift+E');
  await page.locator('.explorer-folders-view :focus').first().waitFor();
  await page.keyboard.press('Control+1');
  await nickname.and(panel.locator(':focus')).waitFor();
});

async function expectNoProblems(workbench: Workbench, panel: Frame, what: string): Promise<void> {
  for (const theme of panels.themes) {
    await panels.inTheme(workbench, panel, theme);
    expect(await accessibilityProblems(panel), `${what} in ${theme}`).toEqual([]);
  }
}
