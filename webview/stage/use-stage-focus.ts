import { type RefObject, useCallback, useEffect, useRef } from 'react';
import type { Stage } from '../../src/panel-port/index.ts';
import { askingOf } from '../page/page-state.ts';
import { focusFirst, hasMovedFocus, mayMoveFocus, showBeginning } from '../parts/focus.ts';

/**
 * Puts the keyboard where the next thing is to be done, whenever the stage becomes another one or the person calls for
 * the panel. Returns a function for what comes late: a view whose code had to be fetched. It takes the keyboard from nobody who has gone
 * on to a button meanwhile, and is about to press Enter there.
 */
export function useStageFocus(
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
