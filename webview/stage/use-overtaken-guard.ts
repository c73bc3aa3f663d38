import { type RefObject, useLayoutEffect } from 'react';

/** Milliseconds in which a question that has taken another's place is seen: so long it stands there, and no key is pressed. */
const MOMENT = 1_000;

/**
 * Keeps what was meant for a question that went away from the one that took its place: keys until the person has paused, and a
 * click that was on its way. What is kept off does nothing; Escape and shortcuts do what they always do.
 *
 * @param at when the question took the place, in epoch milliseconds; `undefined` for one that nobody could take for another
 */
export function useOvertakenGuard(region: RefObject<HTMLElement | null>, at: number | undefined): void {
  // Before the next key: an effect would come after a frame.
  useLayoutEffect(() => {
    if (at === undefined) return;
    let last = at;
    const isSeen = () => {
      const gone = Date.now() - last;
      // Where the time of the machine was set back, nobody could type for as long as that.
      return gone >= MOMENT || gone < 0;
    };
    const onKey = (event: KeyboardEvent): void => {
      if (isSeen()) stop();
      else if (writes(event)) {
        last = Date.now();
        drop(event);
      }
    };
    const onClick = (event: MouseEvent): void => {
      if (isSeen()) stop();
      else if (event.target instanceof Node && region.current?.contains(event.target)) drop(event);
    };
    const stop = (): void => {
      document.removeEventListener('keydown', onKey, true);
      document.removeEventListener('click', onClick, true);
    };
    document.addEventListener('keydown', onKey, true);
    document.addEventListener('click', onClick, true);
    return stop;
  }, [region, at]);
}

/** Is it a key of a person who fills something in: a letter, on to the next field, off with it? */
function writes({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return key === 'Enter' || key === 'Tab' || key === 'Process' || (key.length === 1 && !ctrlKey && !metaKey);
}

function drop(event: Event): void {
  event.preventDefault();
  event.stopPropagation();
}
