import type { ChatFollowup } from 'vscode';
import { type CallEntry, isAsking } from '../../calls/call-entry.ts';
import { plainText } from '../../calls/escaped-markdown.ts';
import type { Translate } from '../../calls/notices/explain.ts';
import { participantCommands } from '../../ids.ts';
import type { TurnMetadata } from './conversation.ts';

/** What a person may want next after a turn: the question that one of its calls still asks, or that it goes on, also with a call that is over. */
export function followUps(metadata: unknown, calls: readonly CallEntry[], t: Translate): ChatFollowup[] {
  const { reason, conversation } = (metadata ?? {}) as Partial<TurnMetadata>;
  const asks = waiting(calls, conversation?.id) !== undefined;
  const waits = (conversation?.awaiting?.length ?? 0) > 0 && !asks;
  const stopped = reason === 'iteration_limit' || reason === 'failed' || waits;
  return [
    ...(asks ? [{ prompt: '', command: participantCommands.show, label: t('Show question') }] : []),
    ...(stopped ? [{ prompt: t('Continue'), label: t('Continue') }] : []),
  ];
}

/** `/show`: brings the question of a chat's call to the front, of this one's before another's, and says which. */
export function showQuestion(calls: readonly CallEntry[], t: Translate, conversation?: string): string {
  const entry = waiting(calls, conversation) ?? waiting(calls);
  if (!entry) return t('No questions are waiting for an answer.');
  entry.panel.show();
  return t('“{0}” is waiting for your answer in its panel.', plainText(entry.title));
}

/** The question of a chat, or of any, that has waited longest. */
function waiting(calls: readonly CallEntry[], conversation?: string): CallEntry | undefined {
  const isOwn = ({ id }: CallEntry) => conversation === undefined || id.endsWith(`@${conversation}`);
  return calls.findLast((entry) => entry.asker.kind === 'chat' && isOwn(entry) && isAsking(entry));
}
