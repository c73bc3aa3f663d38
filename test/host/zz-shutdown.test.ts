import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '#src/vscode/ids.ts';
import { eventually } from './vscode/eventually.ts';

// Last of all: nothing of Parley is left for another test.
describe('deactivate', () => {
  it('ends running calls, takes everything back, waits for it, and leaves tabs that another window can fill', async () => {
    const extension = vscode.extensions.getExtension('parley.parley-mcp');
    assert.ok(extension);
    const main = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'extension.js');
    const { deactivate } = (await import(main.toString(true))) as { deactivate(): Promise<void> };
    const running = vscode.commands
      .executeCommand(commands.runTool, 'slow_count', { steps: 1000, interval: 60_000 })
      .then(
        () => 'it ended by itself',
        (error: Error) => error.message,
      );
    const panels = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => tab.input instanceof vscode.TabInputWebview);
    await eventually('panel', () => panels().some((tab) => tab.label.includes('Count slowly')));

    await deactivate();

    assert.match(await running, /Canceled|aborted/);
    // A window that closes comes to this, too: what it showed is there again when it opens.
    const left = panels().filter((tab) => tab.label.includes('Count slowly'));
    assert.equal(left.length, 1);
    await vscode.window.tabGroups.close(left);
    await assert.rejects(
      async () => vscode.commands.executeCommand(commands.runTool, 'word_count', {}),
      /not found/,
    );
  });
});
