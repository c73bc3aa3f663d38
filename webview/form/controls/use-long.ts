import { type RefObject, useEffect, useRef, useState } from 'react';

/** Characters of a text from which its field has a size and a direction of its own: a browser that finds them out takes minutes. */
const LONG = 20_000;

/** What a field is given that may hold a long text. */
export interface LongField<E> {
  readonly ref: RefObject<E | null>;
  readonly dir: string | undefined;
  readonly 'data-long': true | undefined;
}

/** What is not left to the browser in a field, once the text in it is long. It stays so for as long as the field is there. */
export function useLong<E extends HTMLInputElement | HTMLTextAreaElement>(
  value: string,
  dir: string | undefined,
): LongField<E> {
  const field = useRef<E>(null);
  const [wasLong, setWasLong] = useState(false);
  const isLong = wasLong || value.length > LONG;
  if (isLong && !wasLong) setWasLong(true);

  // Before the browser puts in what is pasted or dropped, and lays it out.
  useEffect(() => {
    const element: HTMLInputElement | HTMLTextAreaElement | null = field.current;
    const beforeInput = (event: Event) => {
      const data = event instanceof InputEvent ? event.data : null;
      if (!element || element.value.length + (data?.length ?? 0) <= LONG) return;
      element.dataset.long = 'true';
      if (element.dir === 'auto') element.dir = directionOf(element.value || (data ?? ''));
      setWasLong(true);
    };
    element?.addEventListener('beforeinput', beforeInput);
    return () => element?.removeEventListener('beforeinput', beforeInput);
  }, []);

  return {
    ref: field,
    // An empty one stands as its label does.
    dir: dir !== 'auto' ? dir : value === '' ? undefined : isLong ? directionOf(value) : dir,
    'data-long': isLong || undefined,
  };
}

const FIRST_LETTER = /\p{Letter}/u;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]|[\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** The direction of the script that a text begins with. */
function directionOf(text: string): 'ltr' | 'rtl' {
  return FROM_THE_RIGHT.test(FIRST_LETTER.exec(text)?.[0] ?? '') ? 'rtl' : 'ltr';
}
