import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { eventually } from './eventually.ts';

describe('a tool file that lacks the types of Parley', () => {
  before(async () => {
    await vscode.extensions.getExtension('parley.parley-mcp')?.activate();
  });

  it('is offered them as a quick fix, and one that lacks others is not', async () => {
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
      return actions.some(({ command }) => command?.command === 'parley.setUpTypes');
    };
    await eventually('offer of types', () => isOffered('parley-mcp'));
    await eventually('end of the offer', async () => !(await isOffered('lodash')));
    problems.dispose();
  });
});
