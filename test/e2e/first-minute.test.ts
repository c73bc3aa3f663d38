import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, onTestFinished } from 'vitest';
import { fillInputBox, notification, openWorkbench, pick, runCommand, screenshot, takeRow } from '#harness';
import { reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the first minute', () => {
  test('a window that shows nothing opens on a page that says what to do; its first button leads to a question', async ({
    browser,
    workbench,
    workspace,
  }) => {
    await workbench.updateSettings({ 'parleyDemo.welcome': true });
    // With nothing remembered, as a person's first one.
    const first = await openWorkbench(browser, inject('server'), { workspace });
    try {
      const { page } = first;
      page.setDefaultTimeout(60_000);
      const opened = Date.now();
      await page.getByText('Get Started with Parley').first().waitFor();
      const shown = Date.now();
      await page.getByRole('button', { name: 'Try It' }).click();
      const panel = await panels.panelOf(page, 'Plan lunch');
      await panels.button(panel, 'Submit').click();
      await panel.locator('.stage-result').getByText('Lunch for 2: Thai, outside.').waitFor();
      const answered = Date.now();
      // The chat is there, with the participant's name in its input.
      await page.getByText('@parley').first().waitFor();
      console.log(
        `first minute: page after ${(shown - opened) / 1000} s, first answered question after ${(answered - opened) / 1000} s and 2 clicks`,
      );
    } finally {
      await first.close();
      await workbench.updateSettings({ 'parleyDemo.welcome': undefined });
    }
  });

  test('its steps are done by doing them', async ({ page, workbench }) => {
    await workbench.bridge.execute('parley.openWalkthrough');
    const step = page.locator('.getting-started-step').filter({ hasText: 'See a tool ask' }).first();
    await step.click();
    await page.getByRole('button', { name: 'Try It' }).click();
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Decline').click();
    await panel.locator('.stage-result').getByText('A tool hears that, too').waitFor();
    await workbench.bridge.execute('parley.openWalkthrough');
    await step.locator('.codicon-getting-started-step-checked').first().waitFor();
  });

  test('its tool goes on after the window was loaded again, and can be run again', async ({
    page,
    workbench,
  }) => {
    void workbench.bridge.execute('parley.tryOut').catch(() => {});
    await (await panels.panelOf(page, 'Plan lunch'))
      .getByText('What would you like to eat?')
      .first()
      .waitFor();
    await reloadWindow(workbench);
    await workbench.bridge.execute('parley.showWaiting', 'oldest');
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Decline').click();
    await panel.locator('.stage-result').getByText('A tool hears that, too').waitFor();
    await panels.button(panel, 'Run Again…').click();
    await panels.panelShowing(page, 'Plan lunch', 'Waiting for you');
  });

  test('a folder without tools says in the Tools view how to have the first one, until it is there', async ({
    browser,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-fresh-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const fresh = await openWorkbench(browser, inject('server'), { workspace: folder });
    onTestFinished(() => fresh.close());
    const { page, bridge } = fresh;
    page.setDefaultTimeout(60_000);
    await bridge.execute('parley.tools.focus');
    const row = (text: string) => page.locator('.pane-body .monaco-list-row', { hasText: text });
    await row('Add Example…').waitFor();
    await screenshot(page, 'fresh-folder');
    // Where nothing can be made, the folder is named, with what to do.
    await writeFile(join(folder, '.parley'), 'in the way');
    for (const [command, take] of [
      ['Parley: New Tool…', () => fillInputBox(page, 'my_first').then(() => pick(page, 'Plain'))],
      ['Parley: Add Example…', () => takeRow(page, 'word_count')],
    ] as const) {
      await runCommand(page, command);
      await take();
      await notification(page, `“${join(folder, '.parley')}” is a link, or no folder`).waitFor();
      await bridge.execute('notifications.clearAll');
    }
    await rm(join(folder, '.parley'));
    await row('New Tool…').click();
    await fillInputBox(page, 'my_first');
    await pick(page, 'Plain');
    await page.locator('.tab.active', { hasText: 'my_first.ts' }).waitFor();
    await row('my_first').waitFor();
    await row('New Tool…').waitFor({ state: 'detached' });
    await row('Add Example…').waitFor({ state: 'detached' });
  });
});
