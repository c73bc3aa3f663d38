import { describe } from 'vitest';
import { notification } from '#harness';
import { callRow } from './calls-view.ts';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('running calls', () => {
  test('one that works unseen shows its progress in a notification, and cancel there halts it', async ({
    page,
    workbench,
  }) => {
    const ended = workbench.bridge
      .execute('parley.runTool', 'slow_count', { steps: 1000, interval: 100 })
      .catch(String);
    await panels.status(await panels.panelOf(page, 'Count slowly'), 'Running');
    await workbench.bridge.evaluate(async (api) => {
      await api.window.showTextDocument(await api.workspace.openTextDocument({ content: 'cover' }), {
        viewColumn: 1,
      });
    }, undefined);
    await workbench.bridge.execute('parley.calls.focus');
    const row = callRow(page, 'Count slowly');
    await row.getByText(/^\d+ of 1000 · steps: 1000, interval: 100$/).waitFor();
    const toast = notification(page, /Count slowly: \d+ of 1000/);
    await toast.getByRole('button', { name: 'Cancel' }).click();
    expect(await ended).toContain('the user stopped it');
    await toast.waitFor({ state: 'detached' });
    await page.locator('.tab', { hasText: 'Count slowly' }).click();
    await panels.status(await panels.panelOf(page, 'Count slowly'), 'Stopped');
  });

  test('one that ends unseen after a while says so, and leads to its panel', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    await workbench.updateSettings({ 'parley.notifyAfter': 1 });
    try {
      const ended = workbench.bridge.execute('parley.runTool', 'slow_count', { steps: 20, interval: 500 });
      // It has to be covered before it ends, on a busy machine, too.
      await page.locator('.tab', { hasText: 'Count slowly' }).waitFor();
      await workbench.bridge.evaluate(async (api) => {
        await api.window.showTextDocument(await api.workspace.openTextDocument({ content: 'cover' }), {
          viewColumn: 1,
        });
      }, undefined);
      await ended;
      const toast = notification(page, '“Count slowly” is done.');
      await toast.getByRole('button', { name: 'Show' }).click();
      await panels.status(await panels.panelOf(page, 'Count slowly'), 'Done');
      await toast.waitFor({ state: 'detached' });
    } finally {
      await workbench.updateSettings({ 'parley.notifyAfter': 0 });
    }
  });
});
