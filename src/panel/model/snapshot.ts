import type { Head, Patch, Snapshot, Stage, TimelineRow } from '../../panel-port/index.ts';
import { shownRows } from './shown-rows.ts';
import type { PanelState } from './state.ts';

/** What takes the question's place. */
export function stageOf(state: PanelState): Stage {
  if (state.parameters) return state.parameters;
  if (state.end) return state.end;
  if (state.question) return { kind: 'question', question: state.question };
  return { kind: 'running' };
}

function headOf(state: PanelState, now: number): Head {
  return {
    call: state.call,
    clock: { now, ...state.timers },
    stage: stageOf(state),
    ...(state.pause ? { pause: state.pause } : {}),
    ...(state.shown ? { shown: state.shown } : {}),
  };
}

/** The whole page. */
export function snapshotOf(state: PanelState, version: number, now: number): Snapshot {
  return { version, head: headOf(state, now), rows: shownRows(state.rows) };
}

/**
 * What changed from `before`, which the page has as version `from`; `undefined` when nothing did. Goes by identity, which
 * the reducer keeps for what did not change.
 */
export function patchOf(before: PanelState, after: PanelState, from: number, now: number): Patch | undefined {
  const known = new Map<number, TimelineRow>(before.rows.map((row) => [row.index, row]));
  const rows = before.rows === after.rows ? [] : after.rows.filter((row) => known.get(row.index) !== row);
  const headChanged =
    before.call !== after.call ||
    before.timers !== after.timers ||
    before.parameters !== after.parameters ||
    before.question !== after.question ||
    before.end !== after.end ||
    before.pause !== after.pause ||
    before.shown !== after.shown;
  if (!headChanged && rows.length === 0) return undefined;
  return {
    from,
    version: from + 1,
    ...(headChanged ? { head: headOf(after, now) } : {}),
    ...(rows.length > 0 ? { rows: shownRows(rows, after.rows) } : {}),
  };
}
