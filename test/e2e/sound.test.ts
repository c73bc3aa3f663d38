import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('the sound of a question', () => {
  test('is heard while the person is elsewhere, and by nobody who did not ask for it', async ({
    page,
    workbench,
    workspace,
  }) => {
    const file = join(workspace, 'ask-now');
    for (const wanted of [true, false]) {
      const ended = workbench.bridge.execute('parley.runTool', 'ask_when', { file });
      const panel = await panels.panelShowing(page, 'Ask when', 'First');
      // Panels that are there hear of it, too.
      await workbench.updateSettings({ 'parley.questions.sound': wanted ? true : undefined });
      await panels.field(panel, 'Text').click();
      await page.keyboard.type('something');
      // Notes what the browser lets be heard: in a page that nobody has touched it would be "suspended".
      await panel.evaluate(`
        window.heard = [];
        window.AudioContext = class extends AudioContext {
          constructor() {
            super();
            window.heard.push(this.state);
            this.addEventListener('statechange', () => window.heard.push(this.state));
          }
        };`);
      await panels.submit(panel);
      await panels.status(panel, 'Running');
      await workbench.bridge.execute('workbench.view.explorer');
      await expect.poll(() => panel.evaluate('document.hasFocus()'), { timeout: 60_000 }).toBe(false);
      await writeFile(file, '');
      await panel.getByText('Second').first().waitFor();
      const heard = () => panel.evaluate('window.heard');
      if (wanted) await expect.poll(heard, { timeout: 60_000 }).toContain('running');
      else expect(await heard()).toEqual([]);
      await rm(file);
      await panels.button(panel, 'Cancel').click();
      expect(await ended).toBe('cancel');
      // The next run would take the place of this one.
      await workbench.bridge.execute('workbench.action.closeAllEditors');
    }
  });
});
