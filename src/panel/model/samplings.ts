import { textOf } from '../../core/messages/content.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { RowOf } from '../../panel-port/index.ts';
import type { SampleAsk } from '../../runtime/session/ask.ts';
import { limitText } from './limit.ts';
import { addRow, changeRow } from './rows.ts';
import type { PanelState } from './state.ts';

/** A sampling opens: a row with the end of its prompt. */
export function openSampling(state: PanelState, ask: SampleAsk, time: number): PanelState {
  if (state.askRows.has(ask.id)) return state;
  const last = ask.request.messages.findLast((message) => message.role === 'user');
  const prompt = last ? textOf(last) : '';
  const added = addRow(state, {
    type: 'sampling',
    time,
    state: 'open',
    ...(prompt === '' ? {} : { prompt: limitText(prompt) }),
    ...(ask.depth > 0 ? { depth: ask.depth } : {}),
  });
  return { ...added, askRows: new Map(added.askRows).set(ask.id, state.nextIndex) };
}

/** What an answer to a sampling shows in its row. */
export function samplingAnswer(answer: JsonValue | undefined): Pick<RowOf<'sampling'>, 'model' | 'text'> {
  if (typeof answer !== 'object' || answer === null || !('content' in answer)) return {};
  const blocks = Array.isArray(answer.content) ? answer.content : [answer.content];
  const text = blocks
    .map(textOfBlock)
    .filter((part) => part !== '')
    .join('\n');
  return {
    ...(typeof answer.model === 'string' ? { model: answer.model } : {}),
    ...(text === '' ? {} : { text: limitText(text) }),
  };
}

/** Says that the editor asks the person whether the model may be used, or no longer does. */
export function setConsent(state: PanelState, askId: string, waits: boolean): PanelState {
  return changeRow(state, state.askRows.get(askId), 'sampling', (row) =>
    row.state === 'open' || row.state === 'consent' ? { ...row, state: waits ? 'consent' : 'open' } : row,
  );
}

function textOfBlock(block: unknown): string {
  if (typeof block !== 'object' || block === null || !('type' in block)) return '';
  if (block.type === 'text' && 'text' in block) return String(block.text);
  if (block.type === 'tool_use' && 'input' in block) return JSON.stringify(block.input);
  return '';
}
