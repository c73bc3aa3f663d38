import type { Ask } from '../../runtime/session/ask.ts';
import type { Session } from '../../runtime/session/session.ts';

/** How a client hears that a call lives. */
export interface Heartbeat {
  /** Milliseconds of quiet before a beat. */
  readonly every: number;
  /** Whether the first beat comes as soon as the ask is open. */
  tellsAtOnce(ask: Ask): boolean;
  /** @param ask what an answer is waited for, if anything */
  beat(ask?: Ask): void;
}

/** Beats while a call is quiet: a person, and much work, takes longer than the time-outs of most clients. Returns what stops it. */
export function keepAlive(session: Session, { every, tellsAtOnce, beat }: Heartbeat): () => void {
  // What the person has to do comes before what a model does.
  const waitsFor = (asks = session.openAsks()) => asks.find(({ kind }) => kind === 'elicit') ?? asks[0];
  const timer = setInterval(() => beat(waitsFor()), every);
  const opened = (ask: Ask) => {
    if (tellsAtOnce(ask)) beat(ask);
  };
  const unsubscribe = session.subscribe((event) => {
    if ('ask' in event) opened(event.ask);
    else if (event.type === 'progress') timer.refresh();
  });
  for (const ask of session.openAsks()) opened(ask);
  return () => {
    unsubscribe();
    clearInterval(timer);
  };
}
