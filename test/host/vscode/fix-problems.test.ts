import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Operation } from 'effection';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { fixProblems } from '#examples/workspace/.parley/tools/fix-problems/tool.ts';
import { useDiagnostics, useEdits } from '#src/core/editor.ts';
import { answerForm } from '#src/panel-port/index.ts';
import type { CallEntry } from '#src/vscode/calls/call-entry.ts';
import { lendAbilities } from '#src/vscode/calls/editor/lend-abilities.ts';
import { type DeskKit, openDesk } from './desk-kit.ts';
import { eventually } from './eventually.ts';

describe('fix_problems in a real editor', () => {
  let kit: DeskKit;
  let problems: vscode.DiagnosticCollection;
  let file: vscode.Uri;

  beforeEach(async () => {
    kit = await openDesk();
    problems = vscode.languages.createDiagnosticCollection('parley-test');
    await vscode.commands.executeCommand('parleyDemo.reset');
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    file = vscode.Uri.joinPath(folder.uri, 'README.md');
    problems.set(file, [
      new vscode.Diagnostic(
        new vscode.Range(0, 0, 0, 1),
        'the heading is dull',
        vscode.DiagnosticSeverity.Error,
      ),
    ]);
  });
  afterEach(async () => {
    await kit.close();
    problems.dispose();
    await vscode.window.showTextDocument(file);
    await vscode.commands.executeCommand('workbench.action.files.revert');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  /** Two edits of the file, as the model proposes them. */
  async function propose(): Promise<{ text: string; first: string; last: string }> {
    const text = (await vscode.workspace.openTextDocument(file)).getText();
    const lines = text.split('\n').filter((line) => line !== '' && text.split(line).length === 2);
    const [first = '', last = ''] = [lines[0], lines.at(-1)];
    await vscode.commands.executeCommand('parleyDemo.script', [
      {
        toolCalls: [
          {
            name: '__schema__',
            input: {
              edits: [
                { find: last, replace: `${last}!`, why: 'it ends too softly' },
                { find: first, replace: '# Bright', why: 'a brighter heading' },
              ],
            },
          },
        ],
      },
    ]);
    return { text, first, last };
  }
  const call = () => kit.call({ tool: fixProblems, plugin: undefined, params: { file: 'README.md' } });
  const decide = async (entry: CallEntry, message: RegExp, decision: string) => {
    const { id, attempt } = await eventually(`question ${message}`, () => {
      const { question } = entry.panel.store.get();
      return question && message.test(question.message) ? question : undefined;
    });
    const content = { decision };
    entry.panel.inbox.receive(answerForm({ questionId: id, attempt, content }));
  };

  it('applies what is accepted, unsaved, and one Undo takes it back', async () => {
    const { text, first, last } = await propose();
    const { entry, end } = call();
    await decide(entry, /README\.md: a brighter heading/, 'accept');
    await decide(entry, /README\.md: it ends too softly/, 'accept');
    const ended = await end;
    assert.ok(ended?.type === 'result', JSON.stringify(ended));
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), text.replace(first, '# Bright').replace(last, `${last}!`));
    assert.equal(document.isDirty, true);
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('undo');
    await eventually('the text as it was', () => document.getText() === text);
  });

  it('applies nothing to a file that changed meanwhile, and says so', async () => {
    const { text } = await propose();
    const { entry, end } = call();
    await decide(entry, /brighter heading/, 'accept');
    const typed = new vscode.WorkspaceEdit();
    typed.insert(file, new vscode.Position(0, 0), 'typed meanwhile\n');
    assert.equal(await vscode.workspace.applyEdit(typed), true);
    await decide(entry, /ends too softly/, 'accept');
    const ended = await end;
    assert.ok(ended?.type === 'error');
    assert.match(ended.error.message, /Nothing was applied: README\.md changed/);
    const document = await vscode.workspace.openTextDocument(file);
    assert.equal(document.getText(), `typed meanwhile\n${text}`);
  });

  it('says that there is nothing to mend', async () => {
    problems.clear();
    const ended = await call().end;
    assert.ok(ended?.type === 'result');
    assert.equal((ended.value as { status: string }).status, 'no_problems');
  });

  it('lists problems of the workspace, and none of files elsewhere', async () => {
    const elsewhere = vscode.Uri.file('/elsewhere/a.ts');
    problems.set(elsewhere, [new vscode.Diagnostic(new vscode.Range(1, 2, 3, 4), 'not ours')]);
    const found = await kit.run(function* () {
      yield* lendAbilities();
      return yield* (yield* useDiagnostics()).list();
    });
    const ours = found.filter(({ message }) => message === 'the heading is dull');
    assert.deepEqual(ours, [
      {
        uri: file.toString(),
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
        severity: 'error',
        message: 'the heading is dull',
      },
    ]);
    assert.equal(
      found.some(({ message }) => message === 'not ours'),
      false,
    );
  });

  it('reads, changes and looks at nothing outside of the folders, however it is written', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'parley-outside-'));
    const secret = vscode.Uri.file(join(outside, 'secret.json'));
    await vscode.workspace.fs.writeFile(secret, new TextEncoder().encode('the secret'));
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const up = '..%2f'.repeat(folder.uri.path.split('/').length);
    const at = { line: 0, character: 0 };
    try {
      for (const uri of [
        secret.toString(),
        `${folder.uri}/${up}${secret.path.slice(1).replaceAll('/', '%2f')}`,
        `${folder.uri}/${up.replaceAll('%2f', '/')}${secret.path.slice(1)}`,
      ]) {
        const edits = [{ uri, range: { start: at, end: at }, text: 'x' }];
        const refused = await kit.run(function* () {
          yield* lendAbilities();
          const editor = yield* useEdits();
          const { list } = yield* useDiagnostics();
          const said: string[] = [];
          for (const attempt of [
            () => editor.read(uri),
            () => editor.apply('x', edits),
            () => editor.apply('x', [], new Map([[uri, '']])),
            () => editor.preview('x', edits),
            () => list(uri),
          ] as ReadonlyArray<() => Operation<unknown>>) {
            try {
              yield* attempt();
              said.push('not refused');
            } catch (error) {
              said.push((error as Error).message);
            }
          }
          return said;
        });
        for (const said of refused) assert.match(said, /is in no folder of this window/);
      }
    } finally {
      await rm(outside, { recursive: true });
    }
  });

  it('a preview is a diff that goes away with whoever asked for it', async () => {
    const diffs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter(
          ({ input, label }) => input instanceof vscode.TabInputTextDiff && label === 'What would change',
        );
    await kit.run(function* () {
      yield* lendAbilities();
      const at = { line: 0, character: 0 };
      const edit = { uri: file.toString(), range: { start: at, end: at }, text: 'new\n' };
      yield* (yield* useEdits()).preview('What would change', [edit]);
      const [tab] = diffs();
      assert.ok(tab?.input instanceof vscode.TabInputTextDiff);
      const changed = tab.input.modified.toString();
      const shown = vscode.workspace.textDocuments.find(({ uri }) => uri.toString() === changed);
      assert.match(shown?.getText() ?? '', /^new\n/);
    });
    await eventually('closed preview', () => diffs().length === 0);
  });
});
