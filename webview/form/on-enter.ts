import type { KeyboardEvent } from 'react';

/** What Enter does in a form. */
export interface EnterActions {
  /** Enter with Ctrl or ⌘. */
  submit(): void;
  /** Enter alone, in a control that has no use for it: on to what is still empty, or off with the form. */
  goOn(from: Element): void;
}

/**
 * Enter in a form. Caught on the way down, because the browser submits on every Enter in a line of text by itself, even on
 * the one that ends a composition.
 */
export function onEnter(event: KeyboardEvent, { submit, goOn }: EnterActions): void {
  const { target } = event;
  if (event.key !== 'Enter' || !(target instanceof Element)) return;
  if (event.nativeEvent.isComposing) {
    event.stopPropagation();
    return;
  }
  const submits = event.ctrlKey || event.metaKey;
  if (!submits && (target.matches('button, a, select, summary') || makesLine(event, target))) return;
  event.preventDefault();
  // A row that holds something gets another one below it.
  if (!submits && target instanceof HTMLInputElement && target.closest('.list-row') && target.value !== '')
    return;
  event.stopPropagation();
  if (submits) submit();
  else if (!target.matches('[data-enter="stay"]')) goOn(target);
}

/** Is it a new line of a text? */
function makesLine(event: KeyboardEvent, target: Element): boolean {
  return target.matches('textarea') && (event.shiftKey || !target.matches('[data-enter="on"]'));
}
