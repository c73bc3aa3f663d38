import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands, taskType } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

/** How many run panels are open. */
const panels = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview).length;

/** Closes all editors, and waits until those of tests before are gone, which takes the editor a moment. */
async function noPanels(): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  await eventually('end of all panels', () => panels() === 0);
}

describe('running a tool on what is there', () => {
  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
  });

  it('fills in what is selected, and runs at once where that is all', async () => {
    const document = await vscode.workspace.openTextDocument({ content: 'One two three.\nFour.' });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 0, 7);
    const counted = await vscode.commands.executeCommand(commands.runToolOn, { tool: 'word_count' });
    assert.equal((counted as { words: number }).words, 2);
    const given = { tool: 'word_count', text: 'a b c d' };
    const other = await vscode.commands.executeCommand(commands.runToolOn, given);
    assert.equal((other as { words: number }).words, 4);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('by a keybinding fills in what the editor’s variables stand for, and no panel opens', async () => {
    await noPanels();
    const text = ['selection', 'lineNumber'].map((name) => `$\{${name}}`).join(' ');
    const given = { tool: 'word_count', params: { text }, show: false };
    const run = async (...args: unknown[]) => vscode.commands.executeCommand(commands.runTool, ...args);
    const document = await vscode.workspace.openTextDocument({ content: 'One two three.\nFour.' });
    const editor = await vscode.window.showTextDocument(document);
    await assert.rejects(async () => run(given), /Select text/);
    editor.selection = new vscode.Selection(0, 0, 0, 7);
    const counted = { characters: 9, words: 3, sentences: 1, lines: 1, readingMinutes: 0 };
    assert.deepEqual(await run(given), counted);
    assert.equal(panels(), 0);
    const asItIs = await run('word_count', { text });
    assert.equal((asItIs as { characters: number }).characters, text.length);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('by a keybinding without a panel has one as soon as it asks', async () => {
    await noPanels();
    const given = { tool: 'field_kinds', params: {}, show: false };
    const ended = Promise.resolve(vscode.commands.executeCommand(commands.runTool, given)).catch(String);
    await eventually('panel', () => panels() > 0, 60_000);
    await vscode.commands.executeCommand(commands.abortAllCalls);
    assert.match(String(await ended), /the user stopped it/);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('offers tools that mend as quick fixes of problems', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const uri = vscode.Uri.joinPath(folder.uri, 'README.md');
    const document = await vscode.workspace.openTextDocument(uri);
    const problems = vscode.languages.createDiagnosticCollection('run-on');
    const range = document.lineAt(0).range;
    problems.set(uri, [new vscode.Diagnostic(range, 'Too short')]);
    // The editor drops what it was asked when another extension says meanwhile that it offers some, too: the one for Markdown may begin.
    const fix = await eventually('a fix of Fix Problems', async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      return actions.find(({ title }) => title === 'Fix with Fix Problems (Parley)');
    });
    problems.dispose();
    assert.equal(fix.command?.command, commands.runToolOn);
    assert.equal(fix.command.arguments?.[0].tool, 'fix_problems');
  });
});

describe('a task of the type parley', () => {
  async function run(definition: Record<string, unknown>): Promise<number | undefined> {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const all = await vscode.tasks.fetchTasks({ type: taskType });
    const [listed] = all.filter((one) => one.definition.tool === definition.tool);
    assert.ok(listed, 'the workspace’s tools that need nothing are listed');
    const task = new vscode.Task(
      { type: taskType, ...definition },
      folder,
      'mine',
      'Parley',
      listed.execution,
    );
    const ended = new Promise<number | undefined>((resolve) => {
      const subscription = vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => {
        if (execution.task.name !== 'mine') return;
        subscription.dispose();
        resolve(exitCode);
      });
    });
    await vscode.tasks.executeTask(task);
    return await ended;
  }

  it('runs a tool with its parameters, and ends with 0 or 1 as the call does', async () => {
    assert.equal(await run({ tool: 'slow_count', params: { steps: 2, interval: 1 } }), 0);
    assert.equal(await run({ tool: 'failing', params: {} }), 1);
    assert.equal(await run({ tool: 'slow_count', params: { steps: 'many' } }), 1);
  });
});
