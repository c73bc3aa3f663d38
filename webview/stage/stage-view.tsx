import { type KeyboardEvent, type RefObject, useCallback, useEffect, useRef } from 'react';
import {
  type Head,
  type Pause,
  pressAction,
  type Stage,
  type TimelineRow,
} from '../../src/panel-port/index.ts';
import { usePage, usePageState } from '../page/page-context.ts';
import { askingOf } from '../page/page-state.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { focusFirst, hasMovedFocus, mayMoveFocus, showBeginning } from '../parts/focus.ts';
import { t } from '../parts/l10n.ts';
import { IS_MAC } from '../parts/platform.ts';
import { Text } from '../parts/text.tsx';
import { EndStage } from './end-stage.tsx';
import { ParametersStage } from './parameters-stage.tsx';
import { QuestionStage } from './question-stage.tsx';
import { RunningStage } from './running-stage.tsx';
import { UnsentNotices } from './unsent-notice.tsx';
import { useKeptFocus } from './use-kept-focus.ts';
import { useOvertakenGuard } from './use-overtaken-guard.ts';
import { useStrayGuard } from './use-stray-guard.ts';

/**
 * Puts the keyboard where the next thing is to be done, whenever the stage becomes another one or the person calls for
 * the panel. Returns a function for what comes late: a view whose code had to be fetched. It takes the keyboard from nobody who has gone
 * on to a button meanwhile, and is about to press Enter there.
 */
function useStageFocus(
  region: RefObject<HTMLElement | null>,
  stage: Stage,
  focusCalls: number,
  isOvertaken: boolean,
): () => void {
  const asking = askingOf(stage) ?? stage.kind;
  // An ending has buttons too, but what comes first is to read it.
  // So has a question that took the place of one that the person may be typing in: the letters are not for its field.
  const reads = isOvertaken || stage.kind === 'result' || stage.kind === 'error' || stage.kind === 'aborted';
  const called = useRef(0);

  const move = useCallback(() => {
    const element = region.current;
    if (!element) return;
    const revealed = focusCalls > called.current;
    called.current = focusCalls;
    if (!revealed && !mayMoveFocus(element)) return;
    if (reads && !(revealed && isOvertaken)) element.focus({ preventScroll: true });
    else focusFirst(element);
    showBeginning(element);
  }, [region, reads, focusCalls, isOvertaken]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new asking is the reason to run
  useEffect(move, [asking, move]);
  return useCallback(() => {
    if (region.current && !hasMovedFocus(region.current)) move();
  }, [region, move]);
}

/** Why a call does not simply go on, and what can be done about it. */
function PauseBanner({ pause }: { pause: Pause }) {
  const page = usePage();
  return (
    <Banner kind="info" news>
      <Text>{pause.message}</Text>
      {pause.actions && pause.actions.length > 0 && (
        <div className="buttons">
          {pause.actions.map(({ id, label, primary }) => (
            <Button key={id} secondary={!primary} onClick={() => page.post(pressAction({ id }))}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </Banner>
  );
}

/**
 * Ctrl+Enter, or ⌘Enter, while no control has the keyboard presses the main button of what is asked: who has read the message, and clicked
 * into it, presses what the button says. In a control the form hears it.
 */
function useSubmitAnywhere(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const submits = event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !event.repeat;
      const { target } = event;
      const isMessage = target instanceof Element && target.matches('.stage-message');
      const isNowhere = target === document.body || target === region.current || isMessage;
      if (!submits || !isNowhere || event.defaultPrevented) return;
      const button = region.current?.querySelector<HTMLButtonElement>(
        '.card button[type="submit"]:not(:disabled)',
      );
      if (!button) return;
      event.preventDefault();
      button.click();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [region]);
}

/** How long the editor waits for the second key of a chord, in milliseconds. */
const CHORD = 5000;

/**
 * The key after Ctrl+K, or ⌘K, is the editor's: it hears both, and takes them for a chord. The page hears them, too, and would type the
 * second one into the field that has the keyboard.
 */
function useChordGuard(): void {
  useEffect(() => {
    let until = 0;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      const { key, ctrlKey, metaKey, altKey, timeStamp } = event;
      if (key.length > 1 && key !== 'Escape') return;
      const isPlain = !ctrlKey && !metaKey && !altKey;
      if (isPlain && key.length === 1 && timeStamp < until) event.preventDefault();
      const begins = (IS_MAC ? metaKey : ctrlKey) && !altKey && key.toLowerCase() === 'k';
      until = begins ? timeStamp + CHORD : 0;
    };
    document.addEventListener('keydown', onKeyDown, { capture: true });
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true });
  }, []);
}

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
