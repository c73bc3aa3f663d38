import { type KeyboardEvent, useRef } from 'react';
import type { Head, TimelineRow } from '../../src/panel-port/index.ts';
import { usePageState } from '../page/page-context.ts';
import { askingOf } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { focusFirst } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { EndStage } from './end-stage.tsx';
import { ParametersStage } from './parameters-stage.tsx';
import { PauseBanner } from './pause-banner.tsx';
import { QuestionStage } from './question-stage.tsx';
import { RunningStage } from './running-stage.tsx';
import { UnsentNotices } from './unsent-notice.tsx';
import { useChordGuard } from './use-chord-guard.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useOvertakenGuard } from './use-overtaken-guard.ts';
import { useStageFocus } from './use-stage-focus.ts';
import { useStrayGuard } from './use-stray-guard.ts';
import { useSubmitAnywhere } from './use-submit-anywhere.ts';

/** The place above the timeline: what is asked, what is going on, or what came of it. */
export function StageView({ head, rows }: { head: Head; rows: readonly TimelineRow[] }) {
  const { focusCalls, filledIn, overtaken } = usePageState();
  const region = useRef<HTMLElement>(null);
  const { stage } = head;
  const isOvertaken = stage.kind === 'question' && overtaken?.by === stage.question.id;
  const refocus = useStageFocus(region, stage, focusCalls, isOvertaken);
  useOvertakenGuard(region, isOvertaken ? overtaken?.at : undefined);
  useSubmitAnywhere(region);
  useKeptFocus(region);
  useChordGuard();
  const guard = useStrayGuard(askingOf(stage) ?? stage.kind);
  const goToField = (event: KeyboardEvent<HTMLElement>): void => {
    const { key, ctrlKey, metaKey, target, currentTarget } = event;
    if (!isOvertaken || key !== 'Enter' || ctrlKey || metaKey || target !== currentTarget) return;
    // What has the keyboard then would take the key.
    event.preventDefault();
    focusFirst(currentTarget);
  };
  return (
    <section
      ref={region}
      className={`stage stage-${stage.kind}`}
      aria-labelledby="stage-title"
      tabIndex={-1}
      {...guard}
      onKeyDown={goToField}
    >
      <UnsentNotices />
      {isOvertaken && (
        <Banner kind="info" news>
          {t('This question replaced another one. Read it, and press Enter to answer.')}
        </Banner>
      )}
      {head.pause && <PauseBanner pause={head.pause} />}
      {stage.kind === 'parameters' && <ParametersStage key={stage.formId} stage={stage} call={head.call} />}
      {stage.kind === 'question' && (
        <QuestionStage
          key={`${stage.question.id} ${filledIn}`}
          question={stage.question}
          shown={head.shown}
          onViewMounted={refocus}
        />
      )}
      {stage.kind === 'running' && (
        <RunningStage
          rows={rows}
          shown={head.shown}
          stands={head.pause !== undefined && head.call.status === 'waiting'}
        />
      )}
      {(stage.kind === 'result' || stage.kind === 'error' || stage.kind === 'aborted') && (
        <EndStage stage={stage} call={head.call} shown={head.shown} />
      )}
    </section>
  );
}
