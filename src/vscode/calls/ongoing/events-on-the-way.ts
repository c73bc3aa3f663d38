import type { Operation } from 'effection';
import type { CallStore, Claim } from '../../../runtime/journal/call-store.ts';
import { isEnd, type SessionEvent } from '../../../runtime/session/events.ts';
import type { Session } from '../../../runtime/session/session.ts';
import { ifJson } from '../../log/if-json.ts';
import { appendWhatFits } from '../history/kept-calls.ts';

/** After so many appends of events they are written anew, as the session has kept them. */
const REWRITE = 200;

/** The events of a call on their way to the store. What there is no room for is left out: its journal has all that counts. */
export class EventsOnTheWay {
  #session: Pick<Session, 'events'> | undefined;
  #cursor = 0;
  #appends = 0;
  /** They are to be written all over again. */
  #anew = false;

  /** Follows a session from here on; what has happened after `cursor` is not written yet. */
  follow(session: Pick<Session, 'events'>, cursor: number): void {
    this.#session = session;
    this.#cursor = cursor;
  }

  /** What is there of them is of no use. */
  writeAnew(): void {
    this.#anew = true;
  }

  /** Writes those that have not been written, but for the end. */
  *write(store: CallStore, claim: Claim): Operation<void> {
    const session = this.#session;
    if (!session) return;
    const events = session.events(this.#cursor).filter((event) => !isEnd(event));
    const last = events.at(-1);
    if (!last) return;
    this.#cursor = last.at;
    this.#appends += 1;
    if (this.#appends % REWRITE === 0) this.#anew = true;
    const all = this.#anew ? session.events().filter((event) => !isEnd(event)) : events;
    yield* this.append(store, claim, all);
  }

  /** Takes those that have not been written, with the end: nobody else writes them. */
  takeRest(): readonly SessionEvent[] {
    const rest = this.#session?.events(this.#anew ? 0 : this.#cursor) ?? [];
    this.#cursor = rest.at(-1)?.at ?? this.#cursor;
    return rest;
  }

  *append(store: CallStore, claim: Claim, events: readonly SessionEvent[]): Operation<void> {
    const replace = this.#anew ? { replace: true as const } : {};
    const what = { ...replace, events: events.flatMap((event) => ifJson(event) ?? []) };
    if (yield* appendWhatFits(store, claim, what)) this.#anew = false;
  }
}
