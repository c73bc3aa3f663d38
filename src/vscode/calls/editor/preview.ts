import { ensure, type Operation } from 'effection';
import * as vscode from 'vscode';
import type { TextEdit } from '../../../core/editor/editor-edits.ts';
import { fromThenable } from '../../bridge.ts';
import { openFile, rangeOf } from './edits.ts';
import { useShownText } from './shown-text.ts';

/**
 * Shows what the edits of one file would change, in VS Code's own diff, beside and without taking the keyboard. It closes with
 * the caller.
 *
 * @throws when the edits are of more than one file.
 */
export function* showPreview(title: string, edits: readonly TextEdit[]): Operation<void> {
  const [first, ...others] = edits;
  if (!first) return;
  if (others.some(({ uri }) => uri !== first.uri)) {
    throw new Error('a preview shows the edits of one file: call it once for each file');
  }
  const document = yield* openFile(first.uri);
  const text = textWith(document, edits);
  const changed = yield* useShownText(document.uri.path, text);
  yield* ensure(() => closeTabsOf(changed));
  yield* fromThenable(
    vscode.commands.executeCommand('vscode.diff', document.uri, changed, title, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    }),
  );
}

/** From the end to the beginning, so that no edit moves the place of another. */
function textWith(document: vscode.TextDocument, edits: readonly TextEdit[]): string {
  const placed = edits.map(({ range, text }) => {
    const checked = document.validateRange(rangeOf(range));
    return { from: document.offsetAt(checked.start), to: document.offsetAt(checked.end), text };
  });
  return placed
    .sort((a, b) => b.from - a.from)
    .reduce((all, { from, to, text }) => all.slice(0, from) + text + all.slice(to), document.getText());
}

function* closeTabsOf(uri: vscode.Uri): Operation<void> {
  const tabs = vscode.window.tabGroups.all
    .flatMap((group) => group.tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.toString() === uri.toString(),
    );
  if (tabs.length > 0) yield* fromThenable(vscode.window.tabGroups.close(tabs, true));
}
