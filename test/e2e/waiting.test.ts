import { describe } from 'vitest';
import { expect, killExtensions, reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('a call that waits for the person', () => {
  test('is there after its extension host died and after a reload, and goes on', async ({
    page,
    workbench,
  }) => {
    // Nobody is left to hear what comes of it.
    workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Ada' }).catch(() => {});
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Ada');
    await panels.field(panel, 'Your answer').fill('once');
    await page.keyboard.press('Control+Enter');
    await panel.getByText('Second question for Ada').first().waitFor();

    await killExtensions(workbench);
    await expect.poll(() => panel.isDetached(), { timeout: 60_000 }).toBe(true);
    const after = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    // The journal has every answer; what else was said in the last moment may be lost.
    await after.getByText('answered after').first().waitFor();
    await panels.field(after, 'Your answer').fill('half');

    await reloadWindow(workbench);
    // The browser may have left before the editor had written down which tabs there are.
    await workbench.bridge.execute('parley.showWaiting');
    const revived = await panels.panelShowing(page, 'Ask twice', 'Second question for Ada');
    const tabs = await workbench.bridge.evaluate(
      (api) => api.window.tabGroups.all.flatMap((group) => group.tabs.map(({ label }) => label)),
      undefined,
    );
    expect(tabs).toEqual(['Ask twice — Ada']);
    await panels.field(revived, 'Your answer').fill('twice');
    await page.keyboard.press('Control+Enter');
    expect(await panels.resultOf(revived)).toMatchObject({ First: 'accept', Second: 'twice' });
  });
});
