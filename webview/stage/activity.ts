import type { RowOf, TimelineRow } from '../../src/protocol/index.ts';

/** What a running call is doing, as far as its timeline tells. */
export interface Activity {
  readonly text: string;
  readonly progress?: RowOf<'progress'>;
}

/** The latest thing that is still going on: progress under way, a model being asked, or the last word of the log. */
export function activityOf(rows: readonly TimelineRow[]): Activity {
  for (let at = rows.length - 1; at >= 0; at--) {
    const row = rows[at];
    if (row?.type === 'progress') {
      return row.done ? WORKING : { text: row.message ?? WORKING.text, progress: row };
    }
    if (row?.type === 'sampling' && row.state === 'consent')
      return { text: 'Waiting for your consent to use the model' };
    if (row?.type === 'sampling' && row.state === 'open') {
      return { text: row.model ? `Asking ${row.model}` : 'Asking the model' };
    }
    if (row?.type === 'question' || row?.type === 'started') return WORKING;
  }
  return WORKING;
}

const WORKING: Activity = { text: 'Working…' };
