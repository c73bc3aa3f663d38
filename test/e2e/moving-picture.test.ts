import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { repoRoot, screenshot, switchTheme } from '#harness';
import { expect, test } from './fixture.ts';
import { createMovingPicture } from './moving-picture.ts';
import * as panels from './panel.ts';

/** The tool that the README begins with. */
async function lunchOfReadme(): Promise<string> {
  const readme = await readFile(join(repoRoot, 'README.md'), 'utf8');
  const [, code] = /```ts lunch\.ts\n([\s\S]*?)```/.exec(readme) ?? [];
  if (code === undefined) throw new Error('The README has no lunch.ts.');
  return code;
}

// Only on demand (see vitest.config.ts), as pictures.test.ts.
describe('the moving picture of the README', () => {
  test('shows a tool that asks', async ({ page, workbench, workspace }) => {
    const size = page.viewportSize();
    await page.setViewportSize({ width: 1200, height: 600 });
    await switchTheme(workbench, 'dark');
    await workbench.updateSettings({
      'parley.sampling.model': 'parley-demo/demo',
      'parleyDemo.delay': 150,
      'editor.minimap.enabled': false,
      'editor.stickyScroll.enabled': false,
      'editor.fontSize': 13,
      'editor.lineNumbers': 'off',
      'workbench.activityBar.location': 'hidden',
      'workbench.layoutControl.enabled': false,
      'editor.folding': false,
    });
    const { bridge } = workbench;
    for (const command of ['closeAuxiliaryBar', 'closeSidebar', 'closePanel'])
      await bridge.execute(`workbench.action.${command}`);
    const file = join(workspace, '.parley', 'tools', 'lunch.ts');
    await writeFile(file, await lunchOfReadme());
    await bridge.execute('parleyDemo.script', [
      { text: 'Baan Thai on Prinsengracht has twelve tables by the water; ask for the green curry.' },
    ]);
    await bridge.evaluate(async (api, path) => {
      await api.window.showTextDocument(api.Uri.file(path));
    }, file);
    await page.locator('.codelens-decoration').getByText('Run').first().waitFor();
    const picture = createMovingPicture(page);
    await bridge.execute('parley.setUpTypes');
    await expect.poll(() => page.locator('.squiggly-error').count(), { timeout: 30_000 }).toBe(0);
    await picture.take(2500);

    await panels.runTool(page, 'Plan lunch');
    await bridge.execute('workbench.action.moveEditorToRightGroup');
    await bridge.execute('workbench.action.evenEditorWidths');
    const panel = await panels.panelOf(page, 'Plan lunch');
    await panels.field(panel, 'City').fill('Amsterdam');
    await picture.take(1800);
    await panels.button(panel, 'Run').click();
    await panel.getByText('What would you like to eat in Amsterdam?').first().waitFor();
    await picture.take(2500);
    await panel.getByText('Thai', { exact: true }).first().click();
    await picture.take(900);
    await panels.button(panel, 'Submit').click();
    await panel
      .getByText('Asking the model')
      .first()
      .waitFor()
      .catch(() => {});
    await picture.take(1500);
    await panel.locator('.stage-result').getByText('Baan Thai').waitFor();
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
      for (const step of ['Run a tool', 'Let the chat run it', 'See a tool ask']) {
        const row = page.locator('.getting-started-step').filter({ hasText: step }).first();
        await row.click();
        await page.locator('.getting-started-media').first().waitFor({ timeout: 10_000 });
        await screenshot(page, `walkthrough-${step}-${theme}`);
      }
    });
});
