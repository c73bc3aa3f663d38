import { equal } from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

describe('a tool file that lacks the types of Parley', () => {
  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
  });

  it('is offered them as a quick fix and above its code, and one that lacks others is not', async () => {
    const [file] = await vscode.workspace.findFiles('.parley/tools/word-count.ts');
    if (!file) throw new Error('The example workspace has no such tool.');
    await vscode.workspace.openTextDocument(file);
    const range = new vscode.Range(0, 0, 0, 1);
    const problems = vscode.languages.createDiagnosticCollection('set-up-types');
    const isOffered = async (missing: string) => {
      const problem = new vscode.Diagnostic(range, `Cannot find module '${missing}' or its declarations.`);
      problem.code = 2307;
      problems.set(file, [problem]);
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        file,
        range,
      );
      const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        file,
      );
      const [fix, lens] = [actions, lenses].map((offers) =>
        offers.some(({ command }) => typeof command === 'object' && command.command === 'parley.setUpTypes'),
      );
      return { fix, lens };
    };
    const all = async (missing: string, wanted: boolean) => {
      const { fix, lens } = await isOffered(missing);
      return fix === wanted && lens === wanted;
    };
    await eventually('offer of types', () => all('parley-mcp', true));
    await eventually('end of the offer', () => all('lodash', false));
    problems.dispose();
  });
});

describe('a verb without yield*', () => {
  it('is given it by a quick fix', async () => {
    const content = "function* ask(ctx) {\n  if (!ctx.elicit('a', { message: '?' })) return;\n}\n";
    const document = await vscode.workspace.openTextDocument({ language: 'typescript', content });
    const at = content.split('\n')[1]?.indexOf('ctx') ?? 0;
    const range = new vscode.Range(1, at, 1, at + 10);
    const problem = new vscode.Diagnostic(range, 'ctx.elicit(…) does nothing without `yield*`');
    Object.assign(problem, { source: 'parley', code: 'forgotten' });
    const problems = vscode.languages.createDiagnosticCollection('forgotten');
    problems.set(document.uri, [problem]);
    const [fix] = await eventually('quick fix', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
      );
      const fixes = found.filter(({ edit }) => edit !== undefined);
      return fixes.length > 0 ? fixes : undefined;
    });
    if (!fix?.edit) throw new Error('There is no edit.');
    await vscode.workspace.applyEdit(fix.edit);
    equal(document.getText(), content.replace(/ctx\.elicit\(.*?\}\)/, '(yield* $&)'));
    problems.dispose();
  });
});
