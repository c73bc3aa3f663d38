import { type Operation, type Scope, type Task, until, useScope } from 'effection';
import type { Client } from '../session/client.ts';
import type { LogEvent, PageCompletedEvent, ProgressEvent, SessionEvent } from '../session/events.ts';
import { FaultsContext } from '../session/faults.ts';
import type { Session } from '../session/session.ts';

/** What a client is told of beside the asks. */
type Observed = LogEvent | ProgressEvent | PageCompletedEvent;

/** Tells a client of one log line or report. A client that fails at it harms nothing. */
export function* observe(client: Client, event: Observed): Operation<void> {
  try {
    if (event.type === 'log') {
      if (client.log) yield* client.log(event);
    } else if (event.type === 'page_completed') {
      if (client.completed) yield* client.completed(event);
    } else if (client.notify) yield* client.notify(event);
  } catch (cause) {
    const scope = yield* useScope();
    scope.expect(FaultsContext)({
      message: `${client.name} failed to take a ${event.type} event`,
      cause,
    });
  }
}

/** Whether there is anything in an event that this client wants to be told. */
export function observes(client: Client, event: SessionEvent): boolean {
  if (event.type === 'log' || event.type === 'gap') return client.log !== undefined;
  if (event.type === 'page_completed') return client.completed !== undefined;
  return event.type === 'progress' && client.notify !== undefined;
}

/**
 * Tells a client of all logs and progress of a session, in order. A client that takes them at once is told where they
 * stand among the asks; a slow one is told from its own cursor on, without holding up anybody, and what it then misses
 * is a gap.
 */
export class Observer {
  readonly #session: Session;
  readonly #client: Client;
  /** Where the client runs. */
  readonly #scope: Scope;
  #cursor: number;
  #telling: Task<void> | undefined;

  constructor(session: Session, client: Client, after: number, scope: Scope) {
    this.#session = session;
    this.#client = client;
    this.#cursor = after;
    this.#scope = scope;
  }

  /** Whether the client is still being told of earlier events. */
  get behind(): boolean {
    return this.#telling !== undefined;
  }

  /** Tells the client of an event, unless it is behind: then the event waits its turn in the session's log. */
  *tell(event: SessionEvent): Operation<void> {
    if (this.#telling || event.at <= this.#cursor || !observes(this.#client, event)) return;
    this.#telling = this.#scope.run(() => this.#catchUp());
    // One that takes it at once has it then.
    yield* until(Promise.resolve());
  }

  /** Waits until the client has been told of everything. */
  *caughtUp(): Operation<void> {
    if (this.#telling) yield* this.#telling;
  }

  *#catchUp(): Operation<void> {
    for (;;) {
      // One at a time: while this waits, the log may drop what the client is too slow for.
      const [event] = this.#session.events(this.#cursor);
      if (!event) break;
      this.#cursor = event.at;
      if (observes(this.#client, event)) yield* observe(this.#client, loggable(event));
    }
    this.#telling = undefined;
  }
}

function loggable(event: SessionEvent): Observed {
  if (event.type === 'log' || event.type === 'progress' || event.type === 'page_completed') return event;
  const dropped = event.type === 'gap' ? event.dropped : 0;
  const message = `${dropped} events are missing here: they came faster than they were read`;
  return { type: 'log', at: event.at, time: event.time, level: 'notice', message, depth: 0 };
}
