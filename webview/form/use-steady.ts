import { useEffect, useRef, useState } from 'react';

/**
 * The value, but while a mouse button is down the one from before. A field is left when the pointer goes down on something
 * else; an error line that appeared at once would move that something away before the pointer is up again, and the press
 * would be lost.
 */
export function useSteady<T>(value: T): T {
  const [pressed, setPressed] = useState(false);
  const kept = useRef(value);
  if (!pressed) kept.current = value;

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const press = (): void => setPressed(true);
    const release = (): void => {
      clearTimeout(timer);
      setPressed(false);
    };
    // The click follows its `mouseup` in the same task; a press that ends elsewhere has none.
    const lift = (): void => {
      timer = setTimeout(release);
    };
    const listeners = { mousedown: press, mouseup: lift, dragend: release };
    for (const [type, listener] of Object.entries(listeners)) addEventListener(type, listener, true);
    // On the way up: drawn anew before React has heard of the click, a radio button would forget that it was chosen.
    addEventListener('click', release);
    addEventListener('blur', release);
    return () => {
      clearTimeout(timer);
      for (const [type, listener] of Object.entries(listeners)) removeEventListener(type, listener, true);
      removeEventListener('click', release);
      removeEventListener('blur', release);
    };
  }, []);

  return kept.current;
}
