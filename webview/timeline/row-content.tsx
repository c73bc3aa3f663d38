import type { JsonObject, JsonValue } from '../../src/core/json.ts';
import type { RowOf, TimelineRow } from '../../src/protocol/index.ts';
import { humanize } from '../form/humanize.ts';
import { Icon } from '../icon.tsx';
import { fractionOf, ProgressBar } from '../progress-bar.tsx';
import { Text } from '../text.tsx';
import { JsonTree } from '../value/json-tree.tsx';
import { isScalar } from '../value/value-shape.ts';
import { QuestionRow } from './question-row.tsx';
import { SamplingRow } from './sampling-row.tsx';

/** One row, by its type. */
export function RowContent({ row }: { row: TimelineRow }) {
  switch (row.type) {
    case 'started':
      return <Started row={row} />;
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
        <span className="muted">… {row.dropped === 1 ? 'one entry' : `${row.dropped} entries`} left out</span>
      );
    case 'ended':
      return <Ended row={row} />;
  }
}

function Started({ row }: { row: RowOf<'started'> }) {
  const summary = row.params && summaryOf(row.params);
  return (
    <>
      <Icon name="play" className="row-icon" /> started{' '}
      {summary && <span className="muted row-params">{summary}</span>}
    </>
  );
}

/** Parameters on one line: `from AMS, destination LIS`. */
function summaryOf(params: JsonObject): string {
  return Object.entries(params)
    .map(([name, value]) => `${humanize(name).toLowerCase()} ${brief(value)}`)
    .join(', ');
}

function brief(value: JsonValue | undefined): string {
  const text = isScalar(value) ? String(value) : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
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
      <Icon name={LEVELS[row.level]} label={row.level} className="row-icon" /> <Text>{row.message}</Text>
      {row.data !== undefined && row.data !== null && (
        <details className="disclosure row-data">
          <summary>Data</summary>
          <JsonTree value={row.data} />
        </details>
      )}
    </div>
  );
}

function Progress({ row }: { row: RowOf<'progress'> }) {
  const message = row.message ?? 'Progress';
  const fraction = fractionOf(row.value, row.total);
  return (
    <div className="row-progress">
      <Icon name={row.done ? 'check' : 'sync'} className="row-icon" />
      <Text>{message}</Text>
      {(fraction !== undefined || !row.done) && (
        <ProgressBar value={row.value} total={row.total} label={message} />
      )}
    </div>
  );
}

const ENDS = {
  completed: { icon: 'pass', label: 'done' },
  failed: { icon: 'error', label: 'failed' },
  aborted: { icon: 'circle-slash', label: 'stopped' },
} as const;

function Ended({ row }: { row: RowOf<'ended'> }) {
  const { icon, label } = ENDS[row.how];
  return (
    <div className={`ended-${row.how}`}>
      <Icon name={icon} className="row-icon" /> {label}{' '}
      {row.message && <Text className="muted">{row.message}</Text>}
    </div>
  );
}
