import assert from 'node:assert/strict';
import { afterEach, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commands } from '#src/vscode/ids.ts';
import { eventually } from './eventually.ts';

const source = (name: string, body: string, first = '') => `import { createMcpTool } from 'parley-mcp';
import { isMainThread } from 'node:worker_threads';
import * as z from 'zod';
${first || 'void isMainThread;'}
export const tool = createMcpTool('${name}').description('Is ${name}.').parameters(z.object({})).elicits({})
  .execute(function* () { ${body} });
`;

const run = async (tool: string) => {
  const given = vscode.commands.executeCommand<unknown>(commands.runTool, tool, {});
  return Promise.resolve(given).catch(String);
};

describe('tool files of the workspace', () => {
  const written: vscode.Uri[] = [];
  let folder: vscode.Uri;

  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
    const [first] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(first);
    folder = vscode.Uri.joinPath(first.uri, '.parley', 'tools');
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const file of written.splice(0)) await vscode.workspace.fs.delete(file);
  });

  /** Saves it in an editor: what others write waits. */
  const write = async (name: string, text: string) => {
    const file = vscode.Uri.joinPath(folder, name);
    if (!written.some(({ path }) => path === file.path)) {
      written.push(file);
      await vscode.workspace.fs.writeFile(file, new Uint8Array());
    }
    const document = await vscode.workspace.openTextDocument(file);
    const edit = new vscode.WorkspaceEdit();
    edit.replace(file, new vscode.Range(0, 0, document.lineCount, 0), text);
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(await document.save());
    return file;
  };
  const problemsOf = (...files: vscode.Uri[]) =>
    files.flatMap((file) => vscode.languages.getDiagnostics(file)).map(({ message }) => message);

  it('run as they are written a moment ago, and as they were last where they are broken', async () => {
    await write('host-written.ts', source('host_written', "return 'first';"));
    await eventually('tool', async () => (await run('host_written')) === 'first', 60_000);
    await write('host-written.ts', source('host_written', "return 'next';"));
    assert.equal(await run('host_written'), 'next');
    await write('host-written.ts', 'export const tool = ;');
    assert.equal(await run('host_written'), 'next');
    await write('host-written.ts', source('host_renamed', "return 'renamed';"));
    assert.match(String(await run('host_written')), /The tool “host_written” was not found/);
    assert.equal(await run('host_renamed'), 'renamed');
  });

  it('run as they were last allowed when another program has written them, until they are reloaded', async () => {
    const file = await write('host-agent.ts', source('host_agent', "return 'mine';"));
    await eventually('tool', async () => (await run('host_agent')) === 'mine', 60_000);
    await vscode.workspace.fs.writeFile(
      file,
      new TextEncoder().encode(source('host_agent', "return 'theirs';")),
    );
    assert.equal(await run('host_agent'), 'mine');
    assert.match(problemsOf(file).join(), /was changed outside this editor/);
    await vscode.commands.executeCommand(commands.reloadTools);
    assert.equal(await run('host_agent'), 'theirs');
  });

  it('that have one name are one that is used and one that is not, also after a reload', async () => {
    const twins = [
      await write('host-one.ts', source('host_twin', 'return 1;')),
      await write('host-two.ts', source('host_twin', 'return 2;')),
    ];
    const unused = () => problemsOf(...twins).filter((message) => message.includes('is not used'));
    await eventually('problem', () => unused().length === 1, 60_000);
    await vscode.commands.executeCommand(commands.reloadTools);
    await eventually('problem after the reload', () => unused().length === 1, 60_000);
  });

  it('that end their process end their call, or are said to; all other tools are there', async () => {
    const ends = 'if (!isMainThread) process.exit(8);';
    const file = await write('host-ends.ts', source('host_ends', 'return 1;', ends));
    await write('host-exits.ts', source('host_exits', 'process.exit(7);'));
    await eventually(
      'problem',
      () => problemsOf(file).some((text) => text.includes('process.exit(8)')),
      60_000,
    );
    await eventually(
      'end',
      async () => /it called process\.exit\(7\)/.test(String(await run('host_exits'))),
      60_000,
    );
    const counted = await vscode.commands.executeCommand(commands.runTool, 'word_count', { text: 'one two' });
    assert.equal((counted as { words: number }).words, 2);
  });
});
