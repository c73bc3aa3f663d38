import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, inject, onTestFinished } from 'vitest';
import { fillInputBox, notification, openWorkbench, pick, runCommand, screenshot, takeRow } from '#harness';
import { expect, reloadWindow, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the first minute', () => {
  test('opens on a page whose button leads to a question, and leads to a first tool', async ({
    browser,
    workbench,
  }) => {
    await workbench.updateSettings({ 'parleyDemo.welcome': true });
    onTestFinished(() => workbench.updateSettings({ 'parleyDemo.welcome': undefined }));
    const folder = await mkdtemp(join(tmpdir(), 'parley-fresh-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    // With nothing remembered, as a person's first one.
    const first = await openWorkbench(browser, inject('server'), { workspace: folder });
    onTestFinished(() => first.close());
    const { page, bridge } = first;
    page.setDefaultTimeout(60_000);
    await page.getByText('Get Started with Parley').first().waitFor();
    await page.getByRole('button', { name: 'Try It' }).click();
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Submit').click();
    await panel.locator('.stage-result').getByText('Lunch for 2: Thai, outside.').waitFor();
    // The chat is there, and what is said in it goes to Copilot's agent.
    await page.locator('.interactive-input-part').getByText('Agent', { exact: true }).waitFor();
    await expect.poll(() => page.locator('.interactive-input-part').innerText()).not.toContain('@parley');

    // Its folder has no tools: the Tools view says how to have the first one, until it is there.
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
      await notification(page, `“${join(folder, '.parley')}” is a link or not a folder`).waitFor();
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

  test('its steps are done by doing them', async ({ page, workbench }) => {
    await workbench.bridge.execute('parley.openWalkthrough');
    const step = page.locator('.getting-started-step').filter({ hasText: 'See a tool ask' }).first();
    await step.click();
    await page.getByRole('button', { name: 'Try It' }).click();
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Decline').click();
    await panel.locator('.stage-result').getByText('The tool is told that, too').waitFor();
    await workbench.bridge.execute('parley.openWalkthrough');
    await step.locator('.codicon-getting-started-step-checked').first().waitFor();
  });

  test('its tool goes on after the window was loaded again, and can be run again', { tags: 'long' }, async ({
    page,
    workbench,
  }) => {
    void workbench.bridge.execute('parley.tryOut').catch(() => {});
    await (await panels.panelOf(page, 'Plan lunch'))
      .getByText('what would you like to eat?')
      .first()
      .waitFor();
    await reloadWindow(workbench);
    await panels.showWaiting(workbench, 'oldest');
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.button(panel, 'Decline').click();
    await panel.locator('.stage-result').getByText('The tool is told that, too').waitFor();
    await panels.button(panel, 'Run Again…').click();
    await panels.panelShowing(page, 'Plan lunch', 'Waiting for you');
  });
});
