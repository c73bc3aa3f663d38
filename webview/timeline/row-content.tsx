import type { RowOf, TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { fractionOf, ProgressBar } from '../parts/progress-bar.tsx';
import { Text } from '../parts/text.tsx';
import { JsonTree } from '../value/json-tree.tsx';
import { Line } from './line.tsx';
import { summaryOf } from './params-summary.ts';
import { QuestionRow } from './question-row.tsx';
import { SamplingRow } from './sampling-row.tsx';

/** One row, by its type. */
export function RowContent({ row }: { row: TimelineRow }) {
  switch (row.type) {
    case 'started':
      return (
        <Line icon="play">
          {t('started')} <span className="muted">{row.params && summaryOf(row.params)}</span>
        </Line>
      );
    case 'log':
      return <Log row={row} />;
    case 'progress':
      return <Progress row={row} />;
    case 'sampling':
      return <SamplingRow row={row} />;
    case 'question':
      return <QuestionRow row={row} />;
    case 'gap':
      return (
        <Line icon="ellipsis">
          <span className="muted">
            {row.dropped === 1 ? t('one entry left out') : t('{0} entries left out', row.dropped)}
          </span>
        </Line>
      );
    case 'ended':
      return <Ended row={row} />;
  }
}

const LEVELS = {
  debug: 'bug',
  info: 'info',
  notice: 'bell',
  warning: 'warning',
  error: 'error',
  critical: 'error',
  alert: 'error',
  emergency: 'error',
} as const;

function Log({ row }: { row: RowOf<'log'> }) {
  return (
    <div className={`log log-${row.level}`}>
      <Line icon={LEVELS[row.level]} label={row.level}>
        <Text>{row.message}</Text>
      </Line>
      {row.data !== undefined && row.data !== null && (
        <details className="disclosure row-more">
          <summary>{t('Data')}</summary>
          <JsonTree value={row.data} />
        </details>
      )}
    </div>
  );
}

function Progress({ row }: { row: RowOf<'progress'> }) {
  const { message = t('Progress'), value, total, done } = row;
  const fraction = fractionOf(value, total);
  return (
    <>
      <Line icon={done ? 'check' : 'sync'}>
        <Text>{message}</Text>
      </Line>
      {/* A bar that stopped short tells where; a full one only repeats the text. */}
      {!(done && (fraction ?? 1) === 1) && (
        <div className="row-more">
          <ProgressBar value={value} total={total} label={message} />
        </div>
      )}
    </>
  );
}

const ends = () => ({
  completed: { icon: 'pass', label: t('done') },
  failed: { icon: 'error', label: t('failed') },
  aborted: { icon: 'circle-slash', label: t('stopped') },
});

function Ended({ row }: { row: RowOf<'ended'> }) {
  const { icon, label } = ends()[row.how];
  return (
    <div className={`ended-${row.how}`}>
      <Line icon={icon}>
        {label}
        {row.message && <Text className="muted">{`: ${row.message}`}</Text>}
      </Line>
    </div>
  );
}
