import type { Ask } from '../../runtime/session/ask.ts';
import { isEnd } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';

/** How a client hears that a call lives. */
export interface Heartbeat {
  /** Milliseconds between two beats. */
  readonly every: number;
  /** Whether the first beat comes as soon as the ask is open. */
  tellsAtOnce(ask: Ask): boolean;
  beat(): void;
}

/**
 * Beats while the session waits for an answer: a person takes longer than the time-outs of most clients. Returns what
 * stops it.
 */
export function keepAlive(session: Session, { every, tellsAtOnce, beat }: Heartbeat): () => void {
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };
  const opened = (ask: Ask) => {
    if (tellsAtOnce(ask)) beat();
    timer ??= setInterval(beat, every);
  };
  const unsubscribe = session.subscribe((event) => {
    if ('ask' in event) opened(event.ask);
    else if (isEnd(event) || (event.type === 'ask_closed' && session.openAsks().length === 0)) stop();
  });
  for (const ask of session.openAsks()) opened(ask);
  return () => {
    unsubscribe();
    stop();
  };
}
