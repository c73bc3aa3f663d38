import type { RenderedView, TimelineRow } from '../../src/panel-port/index.ts';
import { t } from '../parts/l10n.ts';
import { Markdown } from '../parts/markdown.tsx';
import { ProgressBar } from '../parts/progress-bar.tsx';
import { ShownView } from '../views/rendered-view.tsx';
import { activityOf, farOf } from './activity.ts';

/** A call at work: the view it shows, if any, and what it is doing. */
export function RunningStage({
  rows,
  shown,
  stands,
}: {
  rows: readonly TimelineRow[];
  shown: RenderedView | undefined;
  /** It does nothing, and what is above says why. */
  stands: boolean;
}) {
  const { text, progress } = activityOf(rows);
  const far = progress && farOf(progress);
  // Where the question before said its number, a line stays above the view: it keeps its place while the tool thinks.
  const isBetween = shown && rows.some((row) => row.type === 'question' && row.number > 1);
  return (
    <>
      <h2 className={isBetween ? 'stage-overline' : 'visually-hidden'} id="stage-title">
        {t('Running')}
      </h2>
      {/* In the place of a question's message, so that a view below stays where it was while the tool thinks. */}
      {!stands && (
        <div className="stage-message">
          <Markdown inline>{text}</Markdown>
          {far && <span className="muted"> {far}</span>}
        </div>
      )}
      {shown && (
        <div className="card">
          <ShownView rendered={shown} scope="" />
        </div>
      )}
      {!stands && <ProgressBar value={progress?.value} total={progress?.total} label={text} />}
    </>
  );
}
