import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe } from 'vitest';
import { expect, test } from './fixture.ts';
import * as panels from './panel.ts';

describe('a question beside the editor', () => {
  test('whoever types while a question comes up beside loses no character', async ({
    page,
    workbench,
    workspace,
  }) => {
    await workbench.bridge.evaluate(async (api) => {
      const [folder] = api.workspace.workspaceFolders ?? [];
      if (folder === undefined) throw new Error('no folder');
      const file = api.Uri.joinPath(folder.uri, 'notes.txt');
      await api.workspace.fs.writeFile(file, new Uint8Array());
      await api.window.showTextDocument(file, { preview: false });
    }, undefined);
    await page.locator('.monaco-editor.focused').waitFor();
    const asked = workbench.bridge.evaluate(async (api) => {
      const result = await api.lm.invokeTool('ask_user', {
        input: { message: 'Which color?', fields: [{ name: 'color', label: 'Color' }] },
        toolInvocationToken: undefined,
      });
      return result.content
        .map((part) => (part instanceof api.LanguageModelTextPart ? part.value : ''))
        .join('');
    }, undefined);
    let shown = false;
    // A call that fails must not leave the typing going on.
    asked.catch(() => {
      shown = true;
    });
    const showing = page
      .locator('.tab', { hasText: 'Ask the User' })
      .waitFor()
      .then(() => panels.panelOf(page, 'Ask the User'))
      .then(async (panel) => {
        await panels.field(panel, 'Color').waitFor();
        shown = true;
        return panel;
      });
    showing.catch(() => {
      shown = true;
    });
    let typed = '';
    const type = async (): Promise<void> => {
      const word = `word ${typed.length} `;
      // As fast as no person can, and not faster: a browser that is given keys without a pause does nothing else.
      await page.keyboard.type(word, { delay: 20 });
      typed += word;
    };
    while (!shown) await type();
    const panel = await showing;
    await type();
    expect(typed.length).toBeGreaterThan(20);
    await page.keyboard.press('Control+s');
    await expect.poll(() => readFile(join(workspace, 'notes.txt'), 'utf8'), { timeout: 20_000 }).toBe(typed);

    await panels.field(panel, 'Color').fill('green');
    await page.keyboard.press('Control+Enter');
    expect(await asked).toContain('"color":"green"');
  });
});
