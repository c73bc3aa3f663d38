// @module-tag long
import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('booking a flight', () => {
  test('ends without a ticket when the first question is declined', async ({ page }) => {
    const panel = await panels.searchFlights(page, 'AMS', 'LIS');
    await panels.button(panel, 'Decline').click();
    expect(await panels.resultOf(panel)).toEqual({
      Status: 'not_booked',
      Summary: 'No flight was picked. Nothing was booked.',
    });
    await panel
      .getByText(/Declined/i)
      .first()
      .waitFor();
  });

  test('ends without a ticket when the second question is cancelled', async ({ page, workbench }) => {
    const panel = await panels.searchFlights(page, 'AMS', 'LIS');
    await panels.takeFirstFlight(panel);
    await panels.button(panel, 'Cancel').click();
    const result = await panels.resultOf(panel);
    expect(result).toMatchObject({ Status: 'not_booked' });
    expect(result.Summary).toMatch(/^No seat was picked on [A-Z]{2} \d{3}\. Nothing was booked\.$/);
    expect(await workbench.bridge.execute('parleyDemo.requests')).toEqual([]);
  });

  test('says beside each field what is wrong with it', async ({ page }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.fillRoute(page, panel, '', 'X');
    const errors = panel.locator('.field-error');
    await errors.nth(1).waitFor();
    await expect.poll(() => errors.count()).toBe(2);
    // Still a form, with what was typed; the rest of it mends both.
    await panels.field(panel, 'From').fill('AMS');
    await panels.field(panel, 'Destination').fill('LIS');
    await panels.submit(panel);
    await panels.flights(panel).first().waitFor();
  });

  test('fails with advice where the tool refuses what the form allowed', async ({ page }) => {
    const panel = await panels.runTool(page, 'Book a flight');
    await panels.fillRoute(page, panel, 'AMS', 'Amsterdam');
    await panel
      .locator('.stage-error')
      .getByText('From and destination are both Amsterdam: name two different places.')
      .first()
      .waitFor();
    await panels.button(panel, 'Run Again…').waitFor();
  });
});
