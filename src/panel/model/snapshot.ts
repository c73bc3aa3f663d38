import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { maskOf, textsOfSecrets } from '../../core/messages/secrets/mask-secrets.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Head, Patch, Snapshot, Stage, TimelineRow } from '../../panel-port/index.ts';
import type { PanelState } from './state.ts';

/**
 * Rows of a timeline as a page shows them: what is a secret in any of `all` stands in none of them. What is asked now is no row: its form
 * and its views get what they were given.
 */
function shownRows(rows: readonly TimelineRow[], all: readonly TimelineRow[] = rows): TimelineRow[] {
  const mask = maskOf(all.flatMap(secretsOf));
  return rows.map((row) => ({ ...row, ...mask(said(row)) }) as TimelineRow);
}

/** Rows never change, and there may be many changes a second. */
const known = new WeakMap<TimelineRow, readonly string[]>();

function secretsOf(row: TimelineRow): readonly string[] {
  const found = known.get(row) ?? [...textsOfSecrets(said(row))];
  known.set(row, found);
  return found;
}

/** What a row says, without what makes it a row. */
function said(row: TimelineRow): JsonObject {
  switch (row.type) {
    case 'started':
      return defined({ params: row.params });
    case 'log':
      return { message: row.message, ...defined({ data: row.data }) };
    case 'question':
      return { message: row.message, ...defined({ content: row.content as JsonValue, error: row.error }) };
    case 'sampling':
      return defined({ prompt: row.prompt, text: row.text, error: row.error });
    case 'progress':
    case 'ended':
      return defined({ message: row.message });
    case 'gap':
      return {};
  }
}

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
