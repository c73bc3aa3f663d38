import { type RefObject, useEffect } from 'react';

/**
 * Ctrl+Enter, or ⌘Enter, while no control has the keyboard presses the main button of what is asked: who has read the message, and clicked
 * into it, presses what the button says. In a control the form hears it.
 */
export function useSubmitAnywhere(region: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
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
