import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

const source = (text: string) => `import { createMcpTool } from 'parley-mcp';
import * as z from 'zod';
export const tool = createMcpTool('just_typed').description('Says it.').parameters(z.object({})).elicits({})
  .execute(function* () { return '${text}'; });
`;

describe('a tool whose file is typed in', () => {
  let file: vscode.Uri;
  const run = () => vscode.commands.executeCommand(commands.runTool, 'just_typed', {});

  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    file = vscode.Uri.joinPath(folder.uri, '.parley', 'tools', 'just-typed.ts');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(source('old')));
    // Nobody has written it in this window.
    await vscode.commands.executeCommand(commands.reloadTools);
    const isThere = () => run().then(Boolean, () => false);
    await eventually('the tool', async () => isThere(), 60_000);
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(file);
  });

  it('runs with the last letters, also while the editor is about to save them by itself', async () => {
    const editor = await vscode.window.showTextDocument(file, { preview: false });
    const { document } = editor;
    const at = document.positionAt(document.getText().indexOf('old'));
    assert.ok(await editor.edit((edit) => edit.replace(new vscode.Range(at, at.translate(0, 3)), 'new')));
    const asked = Promise.withResolvers<void>();
    // The editor goes on without an answer after a second and a half.
    const holding = vscode.workspace.onWillSaveTextDocument((event) => {
      event.waitUntil(new Promise(() => {}));
      asked.resolve();
    });
    const saving = document.save();
    await asked.promise;
    holding.dispose();
    assert.equal(await run(), 'new');
    assert.equal(await saving, true);
  });
});
