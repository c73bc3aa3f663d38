import { useEffect } from 'react';
import { IS_MAC } from '../parts/platform.ts';

/** How long the editor waits for the second key of a chord, in milliseconds. */
const CHORD = 5000;

/**
 * The key after Ctrl+K, or ⌘K, is the editor's: it hears both, and takes them for a chord. The page hears them, too, and would type the
 * second one into the field that has the keyboard.
 */
export function useChordGuard(): void {
  useEffect(() => {
    let until = 0;
    const onKeyDown = (event: KeyboardEvent): void => {
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
