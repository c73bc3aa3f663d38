import { action, type Operation, useScope } from 'effection';
import type { Client } from './client.ts';
import { DiagnosticsContext } from './diagnostics.ts';
import type { LogEvent, ProgressEvent, SessionEvent } from './events.ts';
import type { Session } from './session.ts';

/** Tells a client of one log line or progress report. A client that fails at it harms nothing. */
export function* observe(client: Client, event: LogEvent | ProgressEvent): Operation<void> {
  try {
    if (event.type === 'log') {
      if (client.log) yield* client.log(event);
    } else if (client.notify) yield* client.notify(event);
  } catch (cause) {
    const scope = yield* useScope();
    scope.expect(DiagnosticsContext)({
      message: `${client.name} failed to take a ${event.type} event`,
      cause,
    });
  }
}

/** Whether there is anything in an event that this client wants to be told. */
export function observes(client: Client, event: SessionEvent): boolean {
  if (event.type === 'log' || event.type === 'gap') return client.log !== undefined;
  return event.type === 'progress' && client.notify !== undefined;
}

/**
 * Tells a client of all logs and progress of a session, in order, from its own cursor on: a slow client falls behind
 * without holding up anybody, and what it then misses is a gap.
 */
export class Observer {
  readonly #session: Session;
  readonly #client: Client;
  #cursor: number;
  #waiting: { readonly at: number; resolve(): void } | undefined;

  constructor(session: Session, client: Client, after: number) {
    this.#session = session;
    this.#client = client;
    this.#cursor = after;
  }

  /** The last event it has dealt with. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Runs until the session has ended. */
  *run(): Operation<void> {
    for (;;) {
      const event = yield* this.#session.nextEvent(this.#cursor);
      // The end again: everything before it has been dealt with.
      if (event.at <= this.#cursor) return;
      if (observes(this.#client, event)) yield* observe(this.#client, loggable(event));
      this.#cursor = event.at;
      if (this.#waiting && this.#cursor >= this.#waiting.at) this.#waiting.resolve();
    }
  }

  /** Waits until everything up to an event has been dealt with. */
  *caughtUp(at: number): Operation<void> {
    if (this.#cursor >= at) return;
    yield* action<void>((resolve) => {
      this.#waiting = { at, resolve };
      return () => {
        this.#waiting = undefined;
      };
    }, 'observer caught up');
  }
}

function loggable(event: SessionEvent): LogEvent | ProgressEvent {
  if (event.type === 'log' || event.type === 'progress') return event;
  const dropped = event.type === 'gap' ? event.dropped : 0;
  const message = `${dropped} events are missing here: they came faster than they were read`;
  return { type: 'log', at: event.at, time: event.time, level: 'notice', message, depth: 0 };
}
