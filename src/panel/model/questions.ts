import { withoutBytes } from '../../core/form/attached.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Question, QuestionBody, RowOf, TimelineRow } from '../../panel-port/index.ts';
import { isAnsweredState, isJsonObject } from '../../panel-port/index.ts';
import type { ElicitAsk } from '../../runtime/session/ask.ts';
import { limitJson } from './limit.ts';
import { addRow, changeRow } from './rows.ts';
import type { PanelState } from './state.ts';
import { setWaiting } from './timers.ts';

/** A question opens, or is asked again with what was wrong. Its place and number stay the same. */
export function openQuestion(state: PanelState, ask: ElicitAsk, time: number, handled = false): PanelState {
  const again = state.question?.id === ask.id ? state.question : undefined;
  const known = state.rows.find((row) => row.index === state.askRows.get(ask.id));
  const number = (known?.type === 'question' ? known : again)?.number ?? state.questions + 1;
  const question: Question = {
    id: ask.id,
    attempt: ask.attempt,
    ...defined({ problem: ask.problem, notice: again?.notice }),
    ...(ask.declared ? { key: ask.ref.key } : {}),
    ...(ask.path ? { path: [...ask.path] } : {}),
    message: ask.request.message,
    number,
    ...(ask.request.context === undefined ? {} : { context: limitJson(ask.request.context) }),
    ...defined({ back: answeredBefore(state, ask.id) }),
    ...(ask.request.mode !== 'url' && ask.request.requestedSchema.decline === false
      ? { decline: false }
      : {}),
    ...(ask.request.mode === 'url' ? {} : defined({ replies: ask.request.requestedSchema.replies })),
    openedAt: again?.openedAt ?? time,
    body: again?.body ?? (handled ? { kind: 'busy' } : bodyOf(ask)),
  };
  const next = { ...state, question, questions: Math.max(state.questions, number) };
  // Its call may have gone on with another version of its tool meanwhile.
  const reopened = ({ closedAt: _, ...row }: RowOf<'question'>) => ({ ...row, state: 'open' as const });
  if (state.askRows.has(ask.id)) return changeRow(next, state.askRows.get(ask.id), 'question', reopened);
  const added = addRow(next, {
    type: 'question',
    time,
    id: ask.id,
    number,
    message: ask.request.message,
    state: 'open',
    ...(ask.request.mode === 'url' ? {} : { schema: ask.request.requestedSchema }),
    ...(ask.depth > 0 ? { depth: ask.depth } : {}),
  });
  return { ...added, askRows: new Map(added.askRows).set(ask.id, state.nextIndex) };
}

/** Where a question is answered that no view of the tool's stands for. */
export function bodyOf({ ref, request }: ElicitAsk): QuestionBody {
  return request.mode === 'url'
    ? { kind: 'page', url: request.url, asker: ref.toolName }
    : { kind: 'form', schema: request.requestedSchema };
}

/** A question of the tool's own that was answered, and still counts. */
export function isAnswered(row: TimelineRow): row is RowOf<'question'> {
  return row.type === 'question' && row.id.startsWith('elicit-') && isAnsweredState(row.state);
}

/** Whether the last that was answered is a no. */
export function isRefused(rows: readonly TimelineRow[]): boolean {
  const last = rows.findLast(isAnswered);
  return last?.state === 'decline' || last?.state === 'cancel';
}

function answeredBefore(state: PanelState, askId: string): string | undefined {
  if (!state.goesBack) return undefined;
  // What we ask ourselves, before a tool runs, is no part of its journal.
  return askId.startsWith('elicit-') ? state.rows.filter(isAnswered).at(-1)?.id : undefined;
}

/** The person went back to a question: neither its answer counts any more nor those since. */
export function takeBackQuestion(state: PanelState, askId: string, time: number): PanelState {
  const from = state.askRows.get(askId);
  if (from === undefined) return state;
  const rows = state.rows.map((row) => {
    if (row.index < from || row.type !== 'question') return row;
    if (row.state === 'open') return { ...row, state: 'withdrawn' as const };
    return isAnswered(row) ? { ...row, state: 'taken_back' as const } : row;
  });
  const to = state.rows.find((row) => row.index === from);
  const questions = to?.type === 'question' ? to.number - 1 : state.questions;
  const isSince = (id: string) => (state.askRows.get(id) ?? -1) >= from;
  let next: PanelState = { ...state, rows, questions };
  if (state.question && isSince(state.question.id)) next = { ...next, question: undefined };
  for (const id of state.waiting) if (isSince(id)) next = setWaiting(next, id, false, time);
  return next;
}

/** What stands where the open question is answered; nothing changes when that question is not open. */
export function setBody(
  state: PanelState,
  askId: string,
  body: QuestionBody,
  notice: string | undefined,
): PanelState {
  if (state.question?.id !== askId) return state;
  return {
    ...state,
    question: { ...state.question, body, ...defined({ notice }) },
  };
}

/** The question is closed: its place is free and its row says how. */
export function closeQuestion(
  state: PanelState,
  askId: string,
  outcome: Pick<RowOf<'question'>, 'state' | 'content' | 'error' | 'closedAt' | 'kept'>,
): PanelState {
  const free = state.question?.id === askId ? { ...state, question: undefined } : state;
  return changeRow(free, state.askRows.get(askId), 'question', (row) => ({ ...row, ...outcome }));
}

/** How an answered question shows in its row. */
export function questionAnswer(answer: JsonValue | undefined): Pick<RowOf<'question'>, 'state' | 'content'> {
  if (typeof answer !== 'object' || answer === null || !('action' in answer)) return { state: 'accept' };
  if (answer.action === 'decline' || answer.action === 'cancel') return { state: answer.action };
  if (answer.action === 'reply' && typeof answer.text === 'string')
    return { state: 'reply', content: { reply: answer.text } };
  if (!isJsonObject(answer.content)) return { state: 'accept' };
  const fields = Object.entries(answer.content).map(([name, value]) => [
    name,
    value && limitJson(withoutBytes(value)),
  ]);
  return { state: 'accept', content: Object.fromEntries(fields) };
}
