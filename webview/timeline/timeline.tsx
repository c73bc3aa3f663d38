import { memo } from 'react';
import { type TimelineRow, timeText } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { RowContent } from './row-content.tsx';

/** With more rows than that, the last of them would be out of sight. */
const LONG = 50;

/** Whether the newest rows stand first. */
export function isLong(rows: readonly TimelineRow[]): boolean {
  return rows.length > LONG;
}

/**
 * What happened, oldest first; once that is long, newest first. What stands where the person has scrolled to stays there. `above` is
 * progress that the stage shows.
 */
export function Timeline({ rows, above }: { rows: readonly TimelineRow[]; above?: number | undefined }) {
  const gone = rows[0]?.index ?? 0;
  if (rows.length === 0) return null;
  const shown = isLong(rows) ? rows.toReversed() : rows;
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <h2 className="timeline-title" id="timeline-title">
        {t('Timeline')}
      </h2>
      <ol className="timeline-rows">
        {shown.map((row) => row.index !== above && <Row key={row.index} row={row} />)}
      </ol>
      {/* Indices rise without a gap: the first that is here is the number of those that are not. */}
      {gone > 0 && (
        <p className="timeline-gone muted">
          {gone === 1 ? t('One older entry is not shown.') : t('{0} older entries are not shown.', gone)}
        </p>
      )}
    </section>
  );
}

/** Rows never change, only their successors do: ten thousand logs draw each row once. */
const Row = memo(function Row({ row }: { row: TimelineRow }) {
  return (
    <li className={`row row-${row.type}`} data-index={row.index} data-depth={Math.min(row.depth ?? 0, 4)}>
      <time className="row-time" dateTime={new Date(row.time).toISOString()}>
        {timeText(row.time)}
      </time>
      <div className="row-content">
        <RowContent row={row} />
      </div>
    </li>
  );
});
