import type { Operation } from 'effection';
import * as vscode from 'vscode';
import { type CallEntry, hasEnded } from '../call-entry.ts';
import type { CallList } from '../call-list.ts';
import type { FindCall } from '../history/call-finder.ts';
import { inform } from '../notices/inform.ts';
import { pickShown, pickStarted } from '../pick/pick-started.ts';

/** Where calls are found. */
export interface MeantCallParts {
  readonly calls: CallList;
  readonly find: FindCall;
}

/**
 * The call that a command is about: that of a row, the one whose panel's menu was used, or without an argument one that the person picks.
 * Says so where it is gone: lists are drawn a moment later than calls are thrown away.
 */
export function* meantCall(
  { calls, find }: MeantCallParts,
  argument: unknown,
): Operation<CallEntry | undefined> {
  if (argument === undefined) return yield* pickStarted(calls);
  if (argument instanceof vscode.Uri) return yield* pickShown(calls);
  const found = yield* find(argument);
  if (!found) inform(vscode.l10n.t('This call is no longer available.'));
  return found;
}

/** The same for a command on calls that are over: says so where it is not. */
export function* endedCall(parts: MeantCallParts, argument: unknown): Operation<CallEntry | undefined> {
  const entry = yield* meantCall(parts, argument);
  if (!entry || hasEnded(entry)) return entry;
  inform(vscode.l10n.t('“{0}” has not ended yet.', entry.title));
  return undefined;
}

/** Says that nothing can be done with a call any more. */
export function sayEnded({ title }: CallEntry): void {
  inform(vscode.l10n.t('“{0}” has already ended.', title));
}
