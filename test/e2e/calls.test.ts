import { describe } from 'vitest';
import { callRow } from './calls-view.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('running calls', () => {
  test('the Calls view shows them, reveals one and aborts one', async ({ page, workbench }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(String);
    await (await panels.panelOf(page, 'Ask twice')).getByText('First question for Ada').first().waitFor();
    await page
      .locator('.activitybar')
      .getByRole('tab', { name: /Parley/ })
      .click();
    const row = callRow(page, 'Ask twice');
    await row.getByText('First question for Ada · name: Ada').waitFor();

    // What a screen reader says of a row begins with the name of what it is about.
    const said = (name: RegExp) =>
      page.locator('.pane-body').getByRole('treeitem', { name }).first().waitFor();
    await said(/^Ask twice, waiting for you, First question for Ada/);
    await said(/^Ask twice, ask_twice/);
    await said(/^Book a flight, book_flight/);

    await workbench.bridge.evaluate(async (api) => {
      await api.window.showTextDocument(await api.workspace.openTextDocument({ content: 'cover' }), {
        viewColumn: 1,
      });
    }, undefined);
    await page.locator('.tab', { hasText: '● Ask twice' }).waitFor();
    await row.click();
    const panel = await panels.panelOf(page, 'Ask twice');
    await panel.getByText('First question for Ada').first().waitFor();

    await row.hover();
    await row.getByRole('button', { name: /^Stop Call/ }).click();
    await panels.status(panel, 'Stopped');
    await row.getByText('stopped').waitFor();
    expect(await ended).toContain('the user stopped it');
  });
});
