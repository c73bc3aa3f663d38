import { join } from 'node:path';
import { describe } from 'vitest';
import { repoRoot, screenshot, switchTheme } from '#harness';
import { answers, askAgent, startMcpServer, useAgent } from './copilot/agent.ts';
import { expect, test } from './fixture.ts';
import { createMovingPicture } from './moving-picture.ts';
import * as panels from './panel.ts';
import { readmeStory } from './readme-story.ts';
import { writeTool } from './tool-files.ts';

// Only on demand (see vitest.config.ts), as pictures.test.ts.
describe('the moving picture of the README', () => {
  test('shows the agent calling a tool that asks', async ({ page, workbench, workspace }) => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1200, height: 640 });
    // What a VS Code of today wears by itself, in the dark.
    await workbench.updateSettings({ 'workbench.colorTheme': 'VS Code Dark' });
    await page.locator('.monaco-workbench.vs-dark').waitFor();
    const { bridge } = workbench;
    await bridge.execute('workbench.action.closeSidebar');
    await bridge.execute('workbench.action.closePanel');
    await useAgent(workbench, false);
    await workbench.updateSettings({
      'parleyDemo.delay': 60,
      'editor.minimap.enabled': false,
      'editor.stickyScroll.enabled': false,
      'editor.lineNumbers': 'off',
      'editor.folding': false,
      'workbench.activityBar.location': 'hidden',
      'workbench.layoutControl.enabled': false,
    });
    const file = join(workspace, '.parley', 'tools', 'release-notes.ts');
    const { code, prompt } = await readmeStory();
    await writeTool(bridge, file, code);
    await bridge.evaluate(async (api, path) => {
      await api.window.showTextDocument(api.Uri.file(path));
    }, file);
    await page.locator('.codelens-decoration').getByText('Run').first().waitFor();
    await bridge.execute('parley.setUpTypes');
    await expect.poll(() => page.locator('.squiggly-error').count(), { timeout: 30_000 }).toBe(0);
    await startMcpServer(workbench);
    const picture = createMovingPicture(page);
    await picture.take(1800);

    const query = `${prompt.charAt(0).toUpperCase()}${prompt.slice(1)}`;
    await bridge.execute('workbench.action.chat.open', { query, mode: 'agent', isPartialQuery: true });
    await page.locator('.interactive-input-part').getByText('release_notes').first().waitFor();
    await picture.take(1400);
    const answer = askAgent(workbench, query);
    const panel = await panels.panelOf(page, 'Release notes');
    const notes = panels.field(panel, 'Notes');
    await notes.waitFor();
    await panel.evaluate(() => document.fonts.ready.then(() => undefined));
    await picture.take(2200);
    await notes.press('End');
    for (const part of ['\n- Answers', ' survive', ' a reload']) {
      await notes.pressSequentially(part);
      await picture.take(350);
    }
    await picture.take(900);
    await panels.button(panel, 'Submit').click();
    await panels.resultOf(panel);
    const { calls } = await answer;
    expect(calls[0]?.result).toContain('Answers survive a reload');
    await answers(page).getByText('Answers survive a reload').last().waitFor();
    await picture.take(4000);
    const bytes = await picture.write(join(repoRoot, 'docs', 'images', 'asks.gif'));
    expect(bytes).toBeLessThan(1.5 * 1024 ** 2);
    if (size) await page.setViewportSize(size);
  });

  for (const theme of ['light', 'dark', 'high-contrast', 'high-contrast-light'] as const)
    test(`and the first page, ${theme}`, async ({ page, workbench }) => {
      await switchTheme(workbench, theme);
      for (const command of ['closeAuxiliaryBar', 'closeSidebar'])
        await workbench.bridge.execute(`workbench.action.${command}`);
      await workbench.bridge.execute('parley.openWalkthrough');
      for (const step of ['Run a tool', 'Call a tool from chat', 'See a tool ask']) {
        const row = page.locator('.getting-started-step').filter({ hasText: step }).first();
        await row.click();
        await page.locator('.getting-started-media').first().waitFor({ timeout: 10_000 });
        await screenshot(page, `walkthrough-${step}-${theme}`);
      }
    });
});
