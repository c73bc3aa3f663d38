import { type RefObject, useEffect } from 'react';

/**
 * Keeps the place of the keyboard. Where what has it goes away or is switched off, as by its own press, a browser puts it nowhere, and a screen
 * reader is silent: it goes to what is around, or to `region`, and back to what was switched off only while an answer was on its way.
 * VS Code leaves it nowhere, too, where the person comes back to the panel, as from its palette or from Find: it goes to where they were.
 */
export function useKeptFocus(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    /** What has the keyboard, and all that is around it. */
    let held: readonly Element[] = [];
    const note = ({ target }: FocusEvent): void => {
      held = target instanceof Element ? withAncestors(target) : [];
    };
    // Put down, as by a click beside: known once what goes on now is over, for a browser says the same of what goes away and of who leaves.
    let leaving: ReturnType<typeof setTimeout> | undefined;
    const leave = (): void => {
      clearTimeout(leaving);
      leaving = setTimeout(() => {
        leaving = undefined;
        if (document.hasFocus() && isNowhere() && canHold(held[0])) held = [];
      });
    };
    const look = (): void => {
      const [control] = held;
      if (!control || !document.hasFocus() || !isNowhere()) return;
      if (canHold(control)) {
        // What is drawn because a field was left is no reason to go back to it.
        if (leaving === undefined) control.focus({ preventScroll: true });
      } else if (!control.isConnected) (heir(held) ?? region.current)?.focus({ preventScroll: true });
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['disabled'] });
    document.addEventListener('focusin', note);
    document.addEventListener('focusout', leave);
    window.addEventListener('focus', look);
    return () => {
      clearTimeout(leaving);
      observer.disconnect();
      document.removeEventListener('focusin', note);
      document.removeEventListener('focusout', leave);
      window.removeEventListener('focus', look);
    };
  }, [region]);
}

function withAncestors(element: Element): Element[] {
  return [element, ...(element.parentElement ? withAncestors(element.parentElement) : [])];
}

function isNowhere(): boolean {
  const { activeElement } = document;
  return !activeElement || activeElement === document.body;
}

function canHold(control: Element | undefined): control is HTMLElement {
  return control instanceof HTMLElement && control.isConnected && !control.matches(':disabled');
}

/** The nearest that is still there and takes the keyboard, of what was around it. */
function heir(held: readonly Element[]): HTMLElement | undefined {
  for (const element of held) {
    if (!element.isConnected) continue;
    const summary = element.matches('details')
      ? element.querySelector<HTMLElement>(':scope > summary')
      : null;
    if (summary) return summary;
    if (element instanceof HTMLElement && element.matches('[tabindex]')) return element;
  }
  return undefined;
}
