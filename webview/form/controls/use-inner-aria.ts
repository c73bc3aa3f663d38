import { type RefObject, useEffect } from 'react';
import type { TextElement } from '../../parts/elements.ts';

/** What the inner control of a custom element is to be told. */
export interface InnerAria {
  readonly describedBy: readonly string[];
  readonly invalid: boolean;
  readonly required: boolean;
  readonly inputMode?: string | undefined;
}

/**
 * Describes the control inside a custom element: ids do not reach into a shadow tree, element references do. The
 * element draws itself a turn later than React, so this waits for it.
 */
export function useInnerAria(ref: RefObject<TextElement | null>, aria: InnerAria): void {
  const { describedBy, invalid, required, inputMode } = aria;
  const ids = describedBy.join(' ');
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    void element.updateComplete.then(() => {
      const control = element.wrappedElement;
      control.setAttribute('dir', 'auto');
      control.setAttribute('aria-invalid', String(invalid));
      control.setAttribute('aria-required', String(required));
      if (inputMode) control.setAttribute('inputmode', inputMode);
      const texts = ids.split(' ').flatMap((id) => document.getElementById(id) ?? []);
      if ('ariaDescribedByElements' in control) control.ariaDescribedByElements = texts;
      // Browsers before 2025 know no element references; the text itself says the same.
      else
        (control as HTMLElement).setAttribute(
          'aria-description',
          texts.map((text) => text.textContent).join(' '),
        );
    });
  }, [ref, ids, invalid, required, inputMode]);
}
