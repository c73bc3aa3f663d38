import { useRef } from 'react';
import type { Head, TimelineRow } from '../../src/panel-port/index.ts';
import { usePageState } from '../page/page-context.ts';
import { askingOf } from '../page/page-state.ts';
import { EndStage } from './end-stage.tsx';
import { ParametersStage } from './parameters-stage.tsx';
import { PauseBanner } from './pause-banner.tsx';
import { QuestionStage } from './question-stage.tsx';
import { RunningStage } from './running-stage.tsx';
import { useStageFocus } from './use-stage-focus.ts';
import { useStrayGuard } from './use-stray-guard.ts';
import { useSubmitAnywhere } from './use-submit-anywhere.ts';

/** The place above the timeline: what is asked, what is going on, or what came of it. */
export function StageView({ head, rows }: { head: Head; rows: readonly TimelineRow[] }) {
  const { focusCalls } = usePageState();
  const region = useRef<HTMLElement>(null);
  const { stage } = head;
  const refocus = useStageFocus(region, stage, focusCalls);
  useSubmitAnywhere(region);
  const guard = useStrayGuard(askingOf(stage) ?? stage.kind);
  return (
    <section
      ref={region}
      className={`stage stage-${stage.kind}`}
      aria-labelledby="stage-title"
      tabIndex={-1}
      {...guard}
    >
      {head.pause && <PauseBanner pause={head.pause} />}
      {stage.kind === 'parameters' && <ParametersStage key={stage.formId} stage={stage} call={head.call} />}
      {stage.kind === 'question' && (
        <QuestionStage
          key={stage.question.id}
          question={stage.question}
          shown={head.shown}
          onViewMounted={refocus}
        />
      )}
      {stage.kind === 'running' && <RunningStage rows={rows} shown={head.shown} />}
      {(stage.kind === 'result' || stage.kind === 'error' || stage.kind === 'aborted') && (
        <EndStage stage={stage} call={head.call} shown={head.shown} />
      )}
    </section>
  );
}
