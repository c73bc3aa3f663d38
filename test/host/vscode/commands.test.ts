import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

describe('commands', () => {
  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
  });

  it('that are declared are registered', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commands).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('that only make sense on a call say so without one, and end', async () => {
    await vscode.commands.executeCommand(commands.revealCall, 'no such call');
    await vscode.commands.executeCommand(commands.showWaiting);
    await vscode.commands.executeCommand(commands.showWaiting, 'oldest');
    await vscode.commands.executeCommand(commands.showLastCall);
    await vscode.commands.executeCommand(commands.clearFinishedCalls);
    await vscode.commands.executeCommand(commands.runCallAgain, 'no such call');
  });

  it('that stop a call stop no other one', async () => {
    // With panels in two columns the editor would not say whose menu it was.
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('workbench.action.editorLayoutSingle');
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await eventually('end of all panels', () => tabs().length === 0);
    let ended = false;
    const asking = Promise.resolve(vscode.commands.executeCommand(commands.runTool, 'field_kinds', {}))
      .catch(String)
      .finally(() => {
        ended = true;
      });
    // Begun at once, either panel may come in front.
    await eventually('the panel of a call that asks', () => tabs().length === 1);
    await vscode.commands.executeCommand(commands.runTool, 'word_count', { text: 'one' });
    await eventually('the panel of a call that is done', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.label.startsWith('Count words');
    });
    // By the menu of a panel whose call is done, and by the row of a call that is gone.
    await vscode.commands.executeCommand(commands.abortCall, vscode.Uri.parse('webview-panel:panel'));
    await vscode.commands.executeCommand(commands.abortCall, { id: 'no such call' });
    await vscode.commands.executeCommand(commands.runTool, 'word_count', { text: 'one' });
    assert.equal(ended, false);
    await vscode.commands.executeCommand(commands.abortAllCalls);
    assert.match(String(await asking), /the user stopped it/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });
});

describe('parley.runTool with arguments', () => {
  const run = (...args: unknown[]) => vscode.commands.executeCommand<unknown>(commands.runTool, ...args);

  it('gives back what the tool returned', async () => {
    const counted = await run('word_count', { text: 'One two. Three.' });
    assert.deepEqual(counted, { characters: 15, words: 3, sentences: 2, lines: 1, readingMinutes: 0 });
  });

  it('takes one object, as a keybinding passes it', async () => {
    const counted = await run({ tool: 'word_count', params: { text: 'one' } });
    assert.equal((counted as { words: number }).words, 1);
  });

  it('fills in defaults', async () => {
    assert.deepEqual(await run('slow_count', { steps: 2, interval: 1 }), { counted: 2 });
  });

  it('rejects for a tool that fails, with its message and cause', async () => {
    const failure = await run('failing', {}).then(
      () => assert.fail('it did not fail'),
      (error: Error) => error,
    );
    assert.match(failure.message, /check that prices\.json exists/);
  });

  it('rejects for parameters that do not fit, and says which', async () => {
    await assert.rejects(async () => run('slow_count', { steps: 'many' }), /steps/);
  });

  it('rejects for an unknown tool, and names the others', async () => {
    await assert.rejects(async () => run('no_such_tool', {}), /“no_such_tool”.*word_count/);
  });

  it('rejects for arguments that are something else', async () => {
    await assert.rejects(async () => run(42), /name of a tool/);
    await assert.rejects(async () => run('word_count', ['text']), /parameters of a tool are an object/);
  });
});
