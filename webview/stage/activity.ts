import type { RowOf, TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { fractionOf } from '../parts/progress-bar.tsx';

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

/** How far progress came, in words; nothing where it says so itself, or is done. */
export function farOf({ message = '', value, total, done }: RowOf<'progress'>): string | undefined {
  const fraction = fractionOf(value, total);
  if (fraction === undefined || (done && fraction === 1)) return undefined;
  const far =
    total === undefined || total === 1
      ? `${Math.round(fraction * 100)} %`
      : t('{0} of {1}', value ?? 0, total);
  return message.includes(far) ? undefined : far;
}
