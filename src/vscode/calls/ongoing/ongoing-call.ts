import { type Operation, race, type WithResolvers, withResolvers } from 'effection';
import { type CallNote, callNoted, callNoteIn } from '../../../calls/messages.ts';
import type { StayingCall } from '../../../calls/port.ts';
import { isParleyError } from '../../../core/errors/errors.ts';
import { ClaimLostError } from '../../../core/errors/store-errors.ts';
import type { JsonObject, JsonValue } from '../../../core/messages/json.ts';
import { isJsonObject, stopReasons } from '../../../panel-port/index.ts';
import type { CallName, CallStore, Claim, StoredCall } from '../../../runtime/journal/call-store.ts';
import type { JournalLine } from '../../../runtime/journal/lines.ts';
import type { JournalSink } from '../../../runtime/journal/sink.ts';
import { ClaimedCall } from '../../../runtime/manager/claimed-call.ts';
import type { SessionEvent } from '../../../runtime/session/events.ts';
import type { Session } from '../../../runtime/session/session.ts';
import { eventLoopTurn } from '../../../runtime/time/event-loop.ts';
import { ifJson } from '../../log/if-json.ts';
import type { Finished } from '../history/call-history.ts';
import { type KeptCall, type OngoingNote, readEvents } from '../history/kept-call.ts';
import { EventsOnTheWay } from './events-on-the-way.ts';

/** What ongoing calls work with. */
export interface OngoingParts {
  /** Where calls are kept; loaded with its first use. */
  store(): Operation<CallStore>;
  /** Which of the windows on a folder this is. */
  readonly window?: number | undefined;
  /** Whether calls are to be kept; read each time. */
  enabled(): boolean;
  /** Ends when the window closes, or after so many milliseconds: true for the first. */
  closesWithin(milliseconds: number): Operation<boolean>;
  /** Something has happened that should be written soon. */
  wake(): void;
  /** It is held now: its claim has to be kept up. */
  held(call: OngoingCall, held: ClaimedCall): void;
  /** Nothing more of it is kept while it lasts. */
  failed(error: unknown): void;
}

/** A call as it is found by a window that takes it up. */
export interface FoundCall {
  readonly claim: Claim;
  readonly stored: StoredCall;
  readonly events: readonly JsonValue[];
  /** Its events cannot be read; its journal can, so it goes on. */
  readonly eventsLost?: true;
}

/** How long a window may take to close after it has stopped the turns of agents, milliseconds. */
const CLOSING = 1_500;

/** Characters of what a page leaves: drafts of longer texts are the editor's alone to keep. */
const MOST_MEMORY = 50_000;

/**
 * One call on its way to the store while it lasts: its journal as it grows, its events a little later. Nothing is written before
 * something comes into it: most calls end before that, and have a history only.
 */
export class OngoingCall implements StayingCall {
  readonly name: CallName;
  readonly #parts: OngoingParts;
  readonly #header: JsonValue;
  #note: OngoingNote | undefined;
  #waitedWith: CallNote | undefined;
  /** What is kept of it says something else than its note. */
  #noteIsNew = false;
  #held: ClaimedCall | undefined;
  #claim: Claim | undefined;
  /** Lines that nobody had to write yet. */
  #unwritten: readonly JournalLine[] = [];
  readonly #begun = withResolvers<void>('a call is in the store');
  readonly #given = withResolvers<void>('a call is given back');
  readonly #events = new EventsOnTheWay();
  #memory: JsonObject | undefined;
  #isElsewhere = false;
  #isClosing = false;
  /** Its end is in its journal, or nothing of that is kept. */
  #over: WithResolvers<Finished> = withResolvers('the end of a call is written');

  constructor(parts: OngoingParts, name: CallName, header: JsonValue) {
    this.#parts = parts;
    this.name = name;
    this.#header = header;
  }

  /** Where the runtime writes its lines. A call that cannot be written goes on in memory. */
  readonly sink: JournalSink = {
    optional: true,
    append: (lines, before) => this.#append(lines, before),
  };

  get claim(): Claim | undefined {
    return this.#claim;
  }

  /** As the window before has left it. */
  get note(): CallNote | undefined {
    return this.#waitedWith;
  }

  /** The conversation that it came from. */
  get conversation(): string {
    const { conversation } = isJsonObject(this.#header) ? this.#header : {};
    return typeof conversation === 'string' ? conversation : '';
  }

  /** Says what lists will say of it. */
  describe(note: OngoingNote): void {
    this.#note = note;
    this.#noteIsNew = this.#held !== undefined;
    this.#parts.wake();
  }

  /** Says what it is about, and writes down what happens in its session: what has happened after `cursor` is not written yet. */
  follow(session: Pick<Session, 'events' | 'subscribe'>, note: OngoingNote, cursor = 0): void {
    this.describe(note);
    this.#events.follow(session, cursor);
    session.subscribe(() => this.#parts.wake());
  }

  /** It was found, and claimed: what comes into it is written behind what is there. */
  *adopt({ claim, stored, eventsLost }: FoundCall, note: OngoingNote): Operation<void> {
    this.#note = note;
    this.#waitedWith = callNoteIn(stored.notes);
    if (eventsLost) this.#events.writeAnew();
    this.#hold(yield* this.#parts.store(), claim, stored.lineCount);
    this.#noteIsNew = note.window !== this.#parts.window;
    if (this.#noteIsNew) this.#parts.wake();
  }

  /** Keeps what its page wants to find again. */
  remember(memory: JsonObject): void {
    this.#memory = memory;
    this.#parts.wake();
  }

  /** Keeps how it stands, before anybody hears of it who comes back with that. It never throws. */
  *write(note: CallNote, taken: readonly string[]): Operation<void> {
    // What it asks may be about to begin it.
    yield* race([this.#begun.operation, this.given()]);
    // What is open then is let go of, and is not over.
    if (this.#isClosing) return;
    try {
      yield* this.#held?.append({ notes: callNoted(note), taken }) ?? [];
    } catch (error) {
      if (!isParleyError(error, 'CLAIM_LOST')) this.#parts.failed(error);
    }
  }

  /** Its code begins again, so how it ended then does not count. */
  reopen(): void {
    this.#over = withResolvers('the end of a call is written');
  }

  /** What is kept of it now. */
  *read(): Operation<{ readonly stored: StoredCall; readonly events: readonly SessionEvent[] } | undefined> {
    const store = yield* this.#parts.store();
    const stored = yield* store.read(this.name);
    return stored && { stored, events: readEvents(yield* store.readEvents(this.name)) };
  }

  /** Writes what has not been written: events, what lists will say of it, what its page left. */
  *writeLate(): Operation<void> {
    const held = this.#held;
    if (!held || !this.#claim) return;
    yield* this.#events.write(yield* this.#parts.store(), this.#claim);
    const memory =
      this.#memory && JSON.stringify(this.#memory).length <= MOST_MEMORY ? this.#memory : undefined;
    if (!memory && !this.#noteIsNew) return;
    this.#memory = undefined;
    const noted = this.#noteIsNew ? this.#noted() : {};
    this.#noteIsNew = false;
    yield* held.append({ notes: { ...noted, ...(memory && { memory }) } });
  }

  /** Keeps it as one that has ended, once its journal says so. A call that only this window lets go of has not ended. */
  *finish(kept: KeptCall): Operation<Finished> {
    const over = yield* this.#over.operation;
    if (over !== 'written') return over;
    if (!this.#held) return 'nothing';
    return yield* this.close(kept, this.#events.takeRest());
  }

  /** Keeps it as one that has ended, with the last of its events; nothing of it where calls are no longer kept. */
  *close(kept: KeptCall, events: readonly SessionEvent[]): Operation<Finished> {
    const claim = this.#claim;
    if (!this.#held || !claim) return 'dropped';
    const store = yield* this.#parts.store();
    if (!this.#parts.enabled()) {
      yield* store.forget(this.name);
      this.#drop();
      return 'dropped';
    }
    yield* this.#events.append(store, claim, events);
    const notes = { kept: ifJson(kept) ?? {}, ongoing: null, memory: null, call: null };
    yield* this.#held.append({ notes, ended: true });
    yield* this.release();
    return 'written';
  }

  /** Gives it back: whoever comes next may take it up. */
  *release(): Operation<void> {
    const held = this.#held;
    this.#drop();
    if (held) yield* held.release();
  }

  /** The window closes: what ends from here on has not ended. */
  windowCloses(): void {
    this.#isClosing = true;
    this.#over.resolve('dropped');
  }

  /** Another window has it now. */
  lost(): void {
    this.#isElsewhere = true;
    this.#drop();
    this.#over.resolve('dropped');
  }

  get isElsewhere(): boolean {
    return this.#isElsewhere;
  }

  /** Waits until this window no longer holds it. */
  given(): Operation<void> {
    return this.#given.operation;
  }

  #drop(): void {
    this.#held = undefined;
    this.#claim = undefined;
    this.#given.resolve();
  }

  *#append(lines: readonly JournalLine[], before: number): Operation<void> {
    const last = lines.at(-1);
    // Agents are stopped just before their window closes, too: that is no reason to end a call.
    if (last?.t === 'end' && last.how === 'aborted' && last.reason !== stopReasons.byPerson) {
      if (yield* this.#parts.closesWithin(CLOSING)) {
        this.#over.resolve('dropped');
        // The copy of this window ends; the next window has the call.
        throw new ClaimLostError({ callId: this.name.callId });
      }
    }
    try {
      yield* this.#writeWhole(lines, before);
    } catch (error) {
      if (isParleyError(error, 'CLAIM_LOST')) this.lost();
      else yield* this.#giveUp(error);
      throw error;
    }
    if (last?.t === 'end') this.#over.resolve('written');
  }

  /** A result that is longer than a call may be is in no journal: nothing goes on from there. */
  *#writeWhole(lines: readonly JournalLine[], before: number): Operation<void> {
    try {
      yield* this.#write(lines, before);
    } catch (error) {
      const last = lines.at(-1);
      if (last?.t !== 'end' || last.value === undefined || !isParleyError(error, 'STORE_FULL')) throw error;
      const { value: _, ...end } = last;
      yield* this.#write([...lines.slice(0, -1), end], before);
    }
  }

  /** What is there already would be taken up where the call no longer is. */
  *#giveUp(error: unknown): Operation<void> {
    this.#parts.failed(error);
    try {
      yield* (yield* this.#parts.store()).forget(this.name);
    } catch {
      // Then nobody finds it either.
    }
    this.#drop();
    this.#over.resolve('nothing');
  }

  *#write(lines: readonly JournalLine[], before: number): Operation<void> {
    if (!this.#held && lines.every(({ t }) => t === 'end' || t === 'capabilities')) {
      this.#unwritten = [...this.#unwritten, ...lines];
      return;
    }
    const held = this.#held ?? (yield* this.#begin());
    const unwritten = this.#unwritten;
    this.#unwritten = [];
    yield* held.sink.append([...unwritten, ...lines], before - unwritten.length);
    this.#parts.wake();
  }

  *#begin(): Operation<ClaimedCall> {
    const store = yield* this.#parts.store();
    // Whoever began it says who it is for in the same turn.
    if (!this.#note) yield* eventLoopTurn();
    // From here on anybody may leave it a message.
    const notes = { ...this.#noted(), ...callNoted({ asks: [], stays: true }) };
    const claim = yield* store.begin({ name: this.name, header: this.#header, notes });
    return this.#hold(store, claim, 0);
  }

  #noted(): JsonObject {
    return this.#note ? { ongoing: ifJson({ ...this.#note, window: this.#parts.window }) ?? {} } : {};
  }

  #hold(store: CallStore, claim: Claim, lines: number): ClaimedCall {
    this.#claim = claim;
    const held = new ClaimedCall(store, claim, lines);
    this.#held = held;
    this.#begun.resolve();
    this.#parts.held(this, held);
    return held;
  }
}
