import type { RowOf, TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';

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
      return row.done ? working() : { text: row.message ?? working().text, progress: row };
    }
    if (row?.type === 'sampling' && row.state === 'consent')
      return { text: t('Waiting for your consent to use the model') };
    if (row?.type === 'sampling' && row.state === 'open') {
      return { text: row.model ? t('Asking {0}', row.model) : t('Asking the model') };
    }
    if (row?.type === 'question' || row?.type === 'started') return working();
  }
  return working();
}

function working(): Activity {
  return { text: t('Working…') };
}
