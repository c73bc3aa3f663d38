import { describe } from 'vitest';
import { answerDialog, runCommand, takeMenuItem } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the history of calls', () => {
  test('is there after a reload: shown, run again, deleted', async ({ page, workbench }) => {
    const ended = workbench.bridge.execute('parley.runTool', 'ask_twice', { name: 'Grace' });
    const panel = await panels.panelShowing(page, 'Ask twice', 'First question for Grace');
    await panels.field(panel, 'Your answer').fill('once');
    await page.keyboard.press('Control+Enter');
    await panel.getByText('Second question for Grace').first().waitFor();
    await panels.button(panel, 'Decline').click();
    expect(await ended).toEqual({ first: 'accept', second: 'decline' });

    await reloadWindow(workbench);
    await workbench.bridge.execute('parley.calls.focus');
    const rows = page.locator('.monaco-list-row');
    const earlier = rows.filter({ hasText: 'Earlier' }).first();
    // A list that is drawn anew at the same moment forgets that it was to be opened.
    const open = async () => {
      const isOpen = (await earlier.getAttribute('aria-expanded')) === 'true';
      if (!isOpen) await earlier.click();
      return isOpen;
    };
    await expect.poll(open, { interval: 1_000 }).toBe(true);
    // By its name: calls of other tests are there, too, and as many as fit are drawn.
    const row = rows
      .filter({ hasText: 'Ask twice' })
      .filter({ hasText: 'done' })
      .filter({ hasText: 'Grace' });
    await row.click();
    const again = await panels.panelOf(page, 'Ask twice');
    expect(await panels.resultOf(again)).toMatchObject({ First: 'accept', Second: 'decline' });
    await again.getByText('First question for Grace').first().waitFor();

    await panels.button(again, 'Run Again…').click();
    const form = await panels.panelShowing(page, 'Ask twice', 'Not started');
    await expect.poll(() => panels.field(form, 'Name').inputValue()).toBe('Grace');

    await row.click({ button: 'right' });
    await takeMenuItem(page, 'Delete Call');
    await row.waitFor({ state: 'detached' });
    await runCommand(page, 'Parley: Clear History');
    await answerDialog(page, 'Clear History');
  });
});
