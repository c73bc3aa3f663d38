import { Fragment } from 'react';
import type { JsonObject } from '../../src/core/messages/json.ts';
import { brief, summaryOf } from '../../src/core/messages/params-summary.ts';
import { plainLine } from '../../src/core/messages/plain-line.ts';
import { isJsonObject, type RowOf, type TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { Text } from '../parts/text.tsx';
import { farOf } from '../stage/activity.ts';
import { JsonTree } from '../value/json-tree.tsx';
import { Line } from './line.tsx';
import { QuestionRow } from './question-row.tsx';
import { SamplingRow } from './sampling-row.tsx';

/** One row, by its type. */
export function RowContent({ row }: { row: TimelineRow }) {
  switch (row.type) {
    case 'started':
      return <Started params={row.params ?? {}} />;
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
            {row.dropped === 1 ? t('1 entry omitted') : t('{0} entries omitted', row.dropped)}
          </span>
        </Line>
      );
    case 'ended':
      return <Ended row={row} />;
  }
}

/** What it was started with says that it was. */
function Started({ params }: { params: JsonObject }) {
  const [first, second] = summaryOf(params);
  return (
    <Line icon="play" label={first && t('started')}>
      {!first ? t('started') : second ? <Members of={params} /> : <bdi title={first.name}>{first.value}</bdi>}
    </Line>
  );
}

/** What is in an object, in a line. */
function Members({ of }: { of: JsonObject }) {
  return summaryOf(of).map(({ name, value }, at) => (
    <Fragment key={name}>
      {at > 0 && ', '}
      <span className="muted">{name}</span> <bdi>{value}</bdi>
    </Fragment>
  ));
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

/** What a tool tells the person may be Markdown; what it notes for who looks for a fault stands as it was written. */
function Message({ level, children }: { level: RowOf<'log'>['level']; children: string }) {
  return level === 'notice' ? <Markdown inline>{children}</Markdown> : <Text>{children}</Text>;
}

function Log({ row }: { row: RowOf<'log'> }) {
  const { level, message, data } = row;
  if (data === undefined || data === null) {
    return (
      <div className={`log log-${level}`}>
        <Line icon={LEVELS[level]} label={level}>
          <Message level={level}>{message}</Message>
        </Line>
      </div>
    );
  }
  return (
    <details className={`folded log log-${level}`}>
      <summary>
        <Line icon={LEVELS[level]} label={level}>
          <Text>{level === 'notice' ? plainLine(message) : message}</Text>{' '}
          {isJsonObject(data) ? <Members of={data} /> : <span className="muted">{brief(data)}</span>}
        </Line>
      </summary>
      <div className="folded-body">
        <div>
          <Message level={level}>{message}</Message>
        </div>
        <JsonTree value={data} />
      </div>
    </details>
  );
}

/** How far it came, in words: the bar is in the stage, where it moves. */
function Progress({ row }: { row: RowOf<'progress'> }) {
  const { message = t('Progress'), done } = row;
  const far = farOf(row);
  return (
    <Line icon={done ? 'check' : 'sync'}>
      <Markdown inline>{message}</Markdown>
      {far && <span className="muted"> {far}</span>}
    </Line>
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
