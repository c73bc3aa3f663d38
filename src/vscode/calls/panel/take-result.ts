import type { Operation } from 'effection';
import * as vscode from 'vscode';
import type { JsonObject } from '../../../core/messages/json.ts';
import { type ResultFormat, resultText, type StageOf } from '../../../panel-port/index.ts';
import { fromThenable } from '../../bridge.ts';

const FORMATS = {
  text: { language: 'plaintext', extension: 'txt' },
  json: { language: 'json', extension: 'json' },
  markdown: { language: 'markdown', extension: 'md' },
} as const satisfies Record<ResultFormat, { language: string; extension: string }>;

/** Shows a result in an editor beside the panel, or writes it where the person says. */
export function* takeResult(
  result: StageOf<'result'>,
  toolName: string,
  how: 'open' | 'save',
  as: ResultFormat,
): Operation<void> {
  const content = resultText(result, as);
  const { language, extension } = FORMATS[as];
  if (how === 'open') {
    const document = yield* fromThenable(vscode.workspace.openTextDocument({ content, language }));
    yield* fromThenable(vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.Beside }));
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const name = `${toolName}.${extension}`;
  const target = yield* fromThenable(
    vscode.window.showSaveDialog({
      ...(folder && { defaultUri: vscode.Uri.joinPath(folder, name) }),
      filters: { [as]: [extension] },
    }),
  );
  if (!target) return;
  yield* fromThenable(vscode.workspace.fs.writeFile(target, new TextEncoder().encode(content)));
  yield* fromThenable(vscode.window.showTextDocument(target, { viewColumn: vscode.ViewColumn.Beside }));
}

/**
 * Shows the file that a block of a result leads to. A tool's word is not enough to open anything: it has to be a file of the
 * workspace.
 */
export function* openBlock({ blocks }: StageOf<'result'>, at: number): Operation<void> {
  const uri = linkOf(blocks?.[at]);
  if (uri?.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) {
    void vscode.window.showWarningMessage(
      vscode.l10n.t('This link was not opened because it does not lead to a file in the workspace.'),
    );
    return;
  }
  yield* fromThenable(vscode.commands.executeCommand('vscode.open', uri, vscode.ViewColumn.Beside));
}

function linkOf(block: JsonObject | undefined): vscode.Uri | undefined {
  const { uri } = block ?? {};
  return typeof uri === 'string' && URL.canParse(uri) ? vscode.Uri.parse(uri) : undefined;
}
