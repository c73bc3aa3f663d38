import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('what breaks', () => {
  test('a tool that throws says so in its panel, with the cause in the log', async ({ page, workbench }) => {
    const panel = await panels.runTool(page, 'Fail');
    await panels.button(panel, 'Run').click();
    const shown = panel.locator('.stage-error');
    await shown.getByText('The prices are not available: check that prices.json exists').first().waitFor();
    await panels.status(panel, 'Failed');
    await shown.getByText('caused by:').first().waitFor();
    await shown
      .getByRole('button', { name: /failing\.ts:\d+:\d+$/ })
      .last()
      .click();
    await page.locator('.tab.active', { hasText: 'failing.ts' }).waitFor();
    const log = await panels.logWith(workbench, 'caused by:');
    expect(log).toContain('prices.json cannot be read');
    expect(log).toContain('no such file: prices.json');
  });

  for (const [how, what, cause] of [
    ['view', 'view crashes', 'This view is broken on purpose'],
    ['throws', 'handler throws', 'This handler is broken on purpose'],
    ['shape', 'handler answers nonsense', ''],
  ] as const) {
    test(`a question whose ${what} falls back to the form`, { tags: 'long' }, async ({ page, workbench }) => {
      const ended = workbench.bridge.execute('parley.runTool', 'broken', { how });
      const panel = await panels.panelOf(page, 'Break');
      await panel.getByText('Use this form instead').first().waitFor();
      await panels.field(panel, 'Color').fill('green');
      await panels.submit(panel);
      expect(await ended).toEqual({ color: 'green' });
      await panels.status(panel, 'Done');
      if (cause !== '') expect(await panels.logWith(workbench, cause)).toContain('The form takes its place.');
    });
  }
});
