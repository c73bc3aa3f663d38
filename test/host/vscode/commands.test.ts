import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '#src/vscode/ids.ts';

describe('commands', () => {
  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
  });

  it('that are declared are registered', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    const missing = Object.values(commands).filter((command) => !registered.has(command));
    assert.deepEqual(missing, []);
  });

  it('that only make sense on a call do nothing without one', async () => {
    await vscode.commands.executeCommand(commands.revealCall);
    await vscode.commands.executeCommand(commands.revealCall, 'no such call');
    await vscode.commands.executeCommand(commands.showWaiting);
    await vscode.commands.executeCommand(commands.showWaiting, 'oldest');
    await vscode.commands.executeCommand(commands.showLastCall);
    await vscode.commands.executeCommand(commands.clearFinishedCalls);
    await vscode.commands.executeCommand(commands.runCallAgain, 'no such call');
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
