import { mergeRows, type TimelineRow } from '../../panel-port/index.ts';
import type { PanelState } from './state.ts';

/** A row as its maker knows it: the place in the timeline comes with {@link addRow}. */
export type NewRow = TimelineRow extends infer Row
  ? Row extends TimelineRow
    ? Omit<Row, 'index'>
    : never
  : never;

/** The state with one more row at the end of the timeline. */
export function addRow(state: PanelState, row: NewRow): PanelState {
  const placed = { ...row, index: state.nextIndex } as TimelineRow;
  return { ...state, rows: mergeRows(state.rows, [placed]), nextIndex: state.nextIndex + 1 };
}

/** The state with the row of that index changed; the same state when that row has been dropped. */
export function changeRow<Type extends TimelineRow['type']>(
  state: PanelState,
  index: number | undefined,
  type: Type,
  change: (row: Extract<TimelineRow, { type: Type }>) => Extract<TimelineRow, { type: Type }>,
): PanelState {
  const row = state.rows.find((candidate) => candidate.index === index);
  if (!isOf(row, type)) return state;
  const changed = change(row);
  return { ...state, rows: state.rows.map((candidate) => (candidate === row ? changed : candidate)) };
}

function isOf<Type extends TimelineRow['type']>(
  row: TimelineRow | undefined,
  type: Type,
): row is Extract<TimelineRow, { type: Type }> {
  return row?.type === type;
}
