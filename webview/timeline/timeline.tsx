import { memo } from 'react';
import type { TimelineRow } from '../../src/panel-port/index.ts';
import { formatTime } from '../parts/duration.ts';
import { t } from '../parts/l10n.ts';
import { RowContent } from './row-content.tsx';

/** What happened, oldest first. New rows grow at the end; what is above them stays where it is. */
export function Timeline({ rows }: { rows: readonly TimelineRow[] }) {
  if (rows.length === 0) return null;
  return (
    <section className="timeline" aria-labelledby="timeline-title">
      <h2 className="timeline-title" id="timeline-title">
        {t('What happened')}
      </h2>
      <ol className="timeline-rows">
        {rows.map((row) => (
          <Row key={row.index} row={row} />
        ))}
      </ol>
    </section>
  );
}

/** Rows never change, only their successors do: ten thousand logs draw each row once. */
const Row = memo(function Row({ row }: { row: TimelineRow }) {
  return (
    <li className={`row row-${row.type}`} data-index={row.index} data-depth={Math.min(row.depth ?? 0, 4)}>
      <time className="row-time" dateTime={new Date(row.time).toISOString()}>
        {formatTime(row.time)}
      </time>
      <div className="row-content">
        <RowContent row={row} />
      </div>
    </li>
  );
});
