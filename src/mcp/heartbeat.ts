import { isEnd } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';

/**
 * Calls `beat` every so many milliseconds while the session waits for an answer: a person takes longer than the
 * time-outs of most clients. Returns what stops it.
 */
export function keepAlive(session: Session, milliseconds: number, beat: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = () => {
    if (session.openAsks().length === 0 || session.ended()) stop();
    else timer ??= setInterval(beat, milliseconds);
  };
  const unsubscribe = session.subscribe((event) => {
    if ('ask' in event || event.type === 'ask_closed') look();
    else if (isEnd(event)) stop();
  });
  look();
  return () => {
    unsubscribe();
    stop();
  };
}
