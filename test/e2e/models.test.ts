// @module-tag long
import { describe } from 'vitest';
import type { Workbench } from '#harness';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('when there is no model', () => {
  test('a flight is booked all the same, without a tip and with a warning', async ({ page, workbench }) => {
    await noModel(workbench);
    const panel = await panels.searchFlights(page, 'AMS', 'LIS');
    await panels.takeFirstFlight(panel);
    const seat = await panels.takeFirstSeat(panel);
    const result = await panels.resultOf(panel);
    expect(result).toMatchObject({ Status: 'booked', Seat: seat });
    expect(result).not.toHaveProperty('Tip');
    await panel
      .getByText(/no travel tip: /)
      .first()
      .waitFor();
  });

  test('a tool that cannot do without says so and offers to try again and to sign in', async ({
    page,
    workbench,
  }) => {
    await noModel(workbench);
    const panel = await panels.runTool(page, 'Pick a card');
    await panels.button(panel, 'Run').click();
    await panel.getByRole('radio', { name: 'Card 2' }).waitFor();
    await panel.getByRole('radio', { name: 'Card 2' }).check({ force: true });
    await panels.button(panel, 'Turn over card 2').click();
    await panel.locator('.stage-error').getByText('No language model is available').first().waitFor();
    await panels.button(panel, 'Sign In…').waitFor();
    expect(await panels.button(panel, 'Choose Model…').count()).toBe(0);
    await panels.button(panel, 'Try Again').waitFor();
  });
});

/** Takes the demo model away, and what an earlier test may have chosen. */
async function noModel(workbench: Workbench): Promise<void> {
  await workbench.updateSettings({ 'parley.sampling.model': undefined });
  await workbench.bridge.execute('parleyDemo.turnOff');
}
