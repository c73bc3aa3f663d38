import type { RenderedView, TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { ShownView } from '../views/rendered-view.tsx';
import { activityOf } from './activity.ts';

/** A call at work: the view it shows, if any, and what it is doing. */
export function RunningStage({
  rows,
  shown,
}: {
  rows: readonly TimelineRow[];
  shown: RenderedView | undefined;
}) {
  const { text, progress } = activityOf(rows);
  return (
    <>
      <h2 className="visually-hidden" id="stage-title">
        {t('Running')}
      </h2>
      {shown && (
        <div className="card">
          <ShownView rendered={shown} scope="" />
        </div>
      )}
      <div className="activity">
        <div className="activity-text">
          <Markdown inline>{text}</Markdown>
        </div>
        <ProgressBar value={progress?.value} total={progress?.total} label={text} />
      </div>
    </>
  );
}
