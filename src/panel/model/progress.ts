import { defined } from '../../core/schema/defined.ts';
import type { ProgressEvent } from '../../runtime/session/events.ts';
import { addRow, changeRow } from './rows.ts';
import type { PanelState } from './state.ts';

/**
 * Progress with a value moves the bar of its depth on; a value that falls, another total or a mere message begins a new
 * row, and the one before is done.
 */
export function reduceProgress(state: PanelState, event: ProgressEvent): PanelState {
  const open = state.rows.find((row) => row.index === state.progressRows.get(event.depth));
  const goesOn =
    open?.type === 'progress' &&
    event.value !== undefined &&
    open.value !== undefined &&
    event.value >= open.value &&
    event.total === open.total;
  const { message } = event;
  const values = {
    ...defined({ value: event.value, total: event.total }),
  };
  if (goesOn) return changeRow(state, open.index, 'progress', (row) => ({ ...row, message, ...values }));
  const closed = finishProgress(state, event.depth);
  const added = addRow(closed, {
    type: 'progress',
    time: event.time,
    message,
    ...values,
    ...(event.depth > 0 ? { depth: event.depth } : {}),
  });
  return { ...added, progressRows: new Map(added.progressRows).set(event.depth, state.nextIndex) };
}

/** Marks progress as done: at one depth, or at all of them. */
export function finishProgress(state: PanelState, depth?: number): PanelState {
  const progressRows = new Map(state.progressRows);
  let next = state;
  for (const [at, index] of state.progressRows) {
    if (depth !== undefined && at !== depth) continue;
    progressRows.delete(at);
    next = changeRow(next, index, 'progress', (row) => ({ ...row, done: true }));
  }
  return { ...next, progressRows };
}
