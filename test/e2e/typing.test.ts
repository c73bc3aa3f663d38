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
    await expect.poll(() => readFile(join(workspace, 'notes.txt'), 'utf8')).toBe(typed);

    await panels.field(panel, 'Color').fill('green');
    await panels.submit(panel);
    expect(await asked).toContain('"color":"green"');
  });

  test('can point at lines of a file, and be answered with others', async ({ page, workbench }) => {
    await workbench.bridge.evaluate(async (api) => {
      const [folder] = api.workspace.workspaceFolders ?? [];
      if (folder === undefined) throw new Error('no folder');
      const file = api.Uri.joinPath(folder.uri, 'pointed-at.txt');
      await api.workspace.fs.writeFile(file, new TextEncoder().encode('one\ntwo\nthree\nfour\n'));
    }, undefined);
    const asked = workbench.bridge.evaluate(async (api) => {
      const fields = [{ name: 'at', label: 'Where', kind: 'place', default: 'pointed-at.txt:2-3' }];
      const input = { message: 'Is it here?', fields };
      const { content } = await api.lm.invokeTool('ask_user', { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof api.LanguageModelTextPart ? part.value : '')).join('');
    }, undefined);
    const selected = () =>
      workbench.bridge.evaluate((api) => {
        const editor = api.window.visibleTextEditors.find(({ document }) =>
          document.uri.path.endsWith('/pointed-at.txt'),
        );
        return editor && [editor.selection.start.line, editor.selection.end.line];
      }, undefined);
    const panel = await panels.panelOf(page, 'Ask the User');

    await panels.field(panel, 'Where').fill('../outside.txt');
    await panels.button(panel, 'Show Where').click();
    await page.getByText('“../outside.txt” was not found in this workspace.').first().waitFor();
    await panels.field(panel, 'Where').fill('pointed-at.txt:2-3');
    await panels.button(panel, 'Show Where').click();
    await expect.poll(selected, { timeout: 60_000 }).toEqual([1, 2]);

    await workbench.bridge.evaluate((api) => {
      for (const editor of api.window.visibleTextEditors) {
        if (!editor.document.uri.path.endsWith('/pointed-at.txt')) continue;
        editor.selection = new api.Selection(3, 0, 3, 2);
      }
    }, undefined);
    await expect.poll(selected, { timeout: 60_000 }).toEqual([3, 3]);
    await panels.button(panel, 'Use Selection Where').click();
    await expect
      .poll(() => panels.field(panel, 'Where').inputValue(), { timeout: 60_000 })
      .toBe('pointed-at.txt:4');
    await panels.submit(panel);
    expect(await asked).toContain('"at":"pointed-at.txt:4"');
    await workbench.bridge.evaluate(
      (api) => api.commands.executeCommand('notifications.clearAll'),
      undefined,
    );
  });
});
