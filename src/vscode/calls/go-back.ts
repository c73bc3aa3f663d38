import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { toError } from '../../core/errors/errors.ts';
import { isAnswered } from '../../panel/model/questions.ts';
import { fromThenable } from '../bridge.ts';
import { useEdge } from '../contexts.ts';
import { type CallEntry, hasEnded } from './call-entry.ts';
import { agreed } from './notices/agreed.ts';

/**
 * **Back** and **Change…**: the call goes back to a question that was answered, and asks it again. The page names the question;
 * that it can be gone back to is looked up here. One at a time: what is pressed meanwhile was for a question that is gone.
 */
export function* useGoBack(): Operation<(entry: CallEntry, askId: string) => void> {
  const edge = yield* useEdge();
  const going = new WeakSet<CallEntry>();
  return (entry, askId) => {
    const answered = entry.panel.store.get().rows.some((row) => isAnswered(row) && row.id === askId);
    if (!answered || hasEnded(entry) || going.has(entry)) return;
    going.add(entry);
    edge.fork(`going back in ${entry.title}`, function* () {
      try {
        yield* goBack(entry, askId);
      } finally {
        going.delete(entry);
      }
    });
  };
}

function* goBack(entry: CallEntry, askId: string): Operation<void> {
  const session = yield* entry.attach();
  if (!session || !(yield* mayRunAgain(entry))) return;
  try {
    yield* session.rewind(askId, { anyway: true });
  } catch (error) {
    const message = vscode.l10n.t('{0} cannot go back: {1}', entry.title, toError(error).message);
    yield* fromThenable(vscode.window.showWarningMessage(message));
  }
}

/** A tool that neither only reads nor has steps does again what it has done since it began: the person decides. */
function* mayRunAgain(entry: CallEntry): Operation<boolean> {
  const { tool } = entry;
  if (!tool) return false;
  if (tool.def.durable || tool.def.annotations.readOnlyHint === true) return true;
  return yield* mayRunUpToHere(entry, vscode.l10n.t('Go Back'));
}

/** Asks whether what a tool has done since it began may be done again. */
export function* mayRunUpToHere({ title }: CallEntry, go: string): Operation<boolean> {
  const message = vscode.l10n.t('Run “{0}” again up to that question?', title);
  const detail = vscode.l10n.t('Your earlier answers are reused. Changes that the tool made run again.');
  return yield* agreed({ message, detail, button: go });
}
