import { type Operation, type Stream, scoped } from 'effection';
import * as vscode from 'vscode';
import { settle } from '../../../workspace/files/settle.ts';
import type { OutsideChange } from '../../../workspace/load/held-files.ts';
import type { WorkspaceTools } from '../../../workspace/load/use-workspace-tools.ts';
import { fromThenable } from '../../bridge.ts';
import { useShownText } from '../../calls/editor/shown-text.ts';
import { noticeText } from '../../calls/notices/notice-text.ts';

/** Edits of several agents are one question; a save that the disk told of first is explained by then. */
const BURST = { quiet: 300, most: 2000 };

/** How many files a notification names. */
const NAMED = 3;

/**
 * Asks about the changes of a folder that no act of the person in this window explains, one question at a time, and has run what they allow.
 * They see the difference before they can. Ends when they do not want to be asked any more.
 */
export function* askAboutOutsideChanges(
  folder: string,
  tools: Pick<WorkspaceTools, 'outside' | 'reload' | 'settled'>,
  loads: Stream<void, never>,
): Operation<void> {
  const never = vscode.l10n.t('Never');
  const once = vscode.l10n.t('Once');
  const always = vscode.l10n.t('Until the Window Closes');
  const loaded = yield* loads;
  const asked = new Set<string>();
  for (;;) {
    yield* settle(loaded, BURST);
    // The save that explains a change may still be loading, which takes a slow machine longer than a burst.
    yield* tools.settled();
    const news = tools.outside();
    if (news.every(({ print }) => asked.has(print))) continue;
    for (const { print } of news) asked.add(print);
    const show = vscode.l10n.t('Show Changes');
    const pressed = yield* fromThenable(vscode.window.showWarningMessage(textOf(folder, news), show, never));
    if (pressed === never) return;
    if (pressed !== show) continue;
    const shown = tools.outside();
    if (shown.length === 0) continue;
    const answer = yield* scoped(function* () {
      yield* showChanges(shown);
      const question = vscode.l10n.t('Run changes made outside this editor?');
      // An error message: VS Code puts others away after some seconds, while the person reads what is different.
      return yield* fromThenable(vscode.window.showErrorMessage(question, once, always, never));
    });
    if (answer === never) return;
    const allowed = new Map(shown.map(({ file, print }) => [file, print]));
    if (answer === once) yield* tools.reload({ allowed, changed: new Set() });
    if (answer === always) yield* tools.reload({ trust: true, changed: new Set() });
  }
}

function textOf(folder: string, changes: readonly OutsideChange[]): string {
  const names = changes.slice(0, NAMED).map(({ file }) => vscode.workspace.asRelativePath(file, false));
  const more = changes.length > NAMED ? `, … +${changes.length - NAMED}` : '';
  const text = vscode.l10n.t(
    'Tools in “{0}” were changed outside this editor, and the changes do not run yet: {1}',
    folder,
    `${names.join(', ')}${more}`,
  );
  return noticeText(text, 500);
}

function* showChanges(changes: readonly OutsideChange[]): Operation<void> {
  const resources: vscode.Uri[][] = [];
  for (const { file, before = '' } of changes) {
    const uri = vscode.Uri.file(file);
    resources.push([uri, yield* useShownText(uri.path, before), uri]);
  }
  const title = vscode.l10n.t('Changes Made Outside This Editor');
  yield* fromThenable(vscode.commands.executeCommand('vscode.changes', title, resources));
}
