import { type KeyboardEvent, type MouseEvent, useRef } from 'react';

/** Handlers for an element whose content changes under the hand of the person. */
export interface StrayGuard {
  onClickCapture(event: MouseEvent): void;
  onKeyDownCapture(event: KeyboardEvent): void;
}

/**
 * Keeps what was meant for one asking from answering the next: the second click of a double click, and the Enter that is
 * still held down when the next question stands where the last one stood.
 */
export function useStrayGuard(asking: string): StrayGuard {
  const clicked = useRef(asking);
  const pressed = useRef(asking);
  return {
    onClickCapture(event) {
      if (event.detail > 1 && clicked.current !== asking) stop(event);
      else clicked.current = asking;
    },
    onKeyDownCapture(event) {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      if (event.repeat && pressed.current !== asking) stop(event);
      else pressed.current = asking;
    },
  };
}

function stop(event: MouseEvent | KeyboardEvent): void {
  event.preventDefault();
  event.stopPropagation();
}
