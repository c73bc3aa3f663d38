import { describe } from 'vitest';
import { test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the first minute', () => {
  test('a window that shows nothing opens on a page that says what to do; its first button leads to a question', async ({
    page,
    workbench,
  }) => {
    await workbench.updateSettings({ 'parleyDemo.welcome': true });
    const reloaded = Date.now();
    await workbench.reload();
    await page.getByText('Get Started with Parley').first().waitFor();
    const opened = Date.now();
    await page
      .locator('.chat-input-container, .interactive-input-part')
      .getByText('@parley')
      .first()
      .waitFor();

    await page.getByRole('button', { name: 'Try It' }).click();
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Submit').click();
    await panel.locator('.stage-result').getByText('Lunch for 2: Thai, outside.').waitFor();
    const seconds = (from: number) => ((Date.now() - from) / 1000).toFixed(1);
    console.log(
      `first minute: 2 clicks, ${seconds(opened)} s from the page, ${seconds(reloaded)} s from the reload`,
    );
    await workbench.updateSettings({ 'parleyDemo.welcome': undefined });
    await workbench.bridge.activate('parley.parley-mcp');
  });

  test('its steps are done by doing them', async ({ page, workbench }) => {
    await workbench.bridge.execute('parley.openWalkthrough');
    const steps = page.locator('.getting-started-step');
    await steps.filter({ hasText: 'See a tool ask' }).first().click();
    await page.getByRole('button', { name: 'Try It' }).click();
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Decline').click();
    await panel.locator('.stage-result').getByText('A tool hears that, too').waitFor();
    await workbench.bridge.execute('parley.openWalkthrough');
    await steps
      .filter({ hasText: 'See a tool ask' })
      .locator('.codicon-getting-started-step-checked')
      .first()
      .waitFor();
  });
});
