import * as vscode from 'vscode';
import type { PastTurn } from './conversation.ts';
import type { ChatReference } from './prompt.ts';

/** The chat's history in our terms. */
export function pastTurnsOf(history: vscode.ChatContext['history']): readonly PastTurn[] {
  return history.map((turn): PastTurn => {
    if (turn instanceof vscode.ChatRequestTurn) return { type: 'request', prompt: turn.prompt };
    const text = turn.response
      .map((part) => (part instanceof vscode.ChatResponseMarkdownPart ? part.value.value : ''))
      .join('');
    return { type: 'response', text, metadata: turn.result.metadata };
  });
}

/**
 * What the person attached: places and files by their path and the text that is meant, and text that they named in the
 * prompt. Text that they did not name is the editor's own, meant for its agent (tried).
 */
export async function attachmentsOf(
  references: readonly vscode.ChatPromptReference[],
): Promise<readonly ChatReference[]> {
  const attachments = await Promise.all(
    references.map(
      async ({ id, value, range: named, modelDescription }): Promise<ChatReference | undefined> => {
        const name = modelDescription ?? id;
        if (typeof value === 'string') return named ? { name, text: value } : undefined;
        const uri = value instanceof vscode.Location ? value.uri : value;
        if (!(uri instanceof vscode.Uri)) return undefined;
        const range = value instanceof vscode.Location ? value.range : undefined;
        const path = vscode.workspace.asRelativePath(uri);
        try {
          const document = await vscode.workspace.openTextDocument(uri);
          return { name: path, text: document.getText(range) };
        } catch {
          // A folder, or no text: its path is what there is to say.
          return { name: path, text: uri.toString() };
        }
      },
    ),
  );
  return attachments.filter((attachment) => attachment !== undefined);
}
