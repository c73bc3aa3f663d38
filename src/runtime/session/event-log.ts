import { action, type Operation } from 'effection';
import type { EndEvent, SessionEvent, SessionHappening } from './events.ts';
import { isEnd, saidSize } from './events.ts';

/** What an event log needs of its call. */
export interface LoggedCall {
  readonly time: { now(): number };
  /** How many events beside open asks and the end are kept for those who come late. */
  readonly maxLogEvents: number;
  /** Whether an ask is still open: its event is never dropped. */
  isOpen(askId: string): boolean;
  /** Told of listeners that threw; a failing listener harms nobody else. */
  diagnose(message: string, cause: unknown): void;
}

/** How many progress reports are kept while newer ones of the same depth are there: enough for one turn's burst. */
const KEPT_PROGRESS = 100;

/** How many bytes of log lines and reports are kept, and the newest however long it is. A tool may log whole files. */
const KEPT_BYTES = 1024 * 1024;

interface Waiter {
  readonly after: number;
  wake(event: SessionEvent): void;
}

/**
 * What happened in a session, in order. Consumers read from their own cursor (an event's `at`), so each sees every
 * event once and late ones see what they missed. Bounded in number and in size: superseded progress goes silently, other
 * old events leave a `gap` that says how many; open asks and the end stay.
 */
export class EventLog {
  readonly #call: LoggedCall;
  #events: SessionEvent[] = [];
  #last = 0;
  #loose = 0;
  #looseBytes = 0;
  #end: EndEvent | undefined;
  // Made when somebody comes: most calls are over before that.
  #waiters: Set<Waiter> | undefined;
  #listeners: Set<(event: SessionEvent) => void> | undefined;
  readonly #undelivered: SessionEvent[] = [];
  #delivering = false;

  constructor(call: LoggedCall) {
    this.#call = call;
  }

  /** The end, once there is one. */
  get end(): EndEvent | undefined {
    return this.#end;
  }

  /** About how many bytes of log lines and reports are kept. */
  get bytes(): number {
    return this.#looseBytes;
  }

  /** Records what happened and tells everybody who waits. Nothing happens after the end. */
  add(happening: SessionHappening): void {
    if (this.#end) return;
    const event: SessionEvent = { at: ++this.#last, time: this.#call.time.now(), ...happening };
    this.#events.push(event);
    if (isEnd(event)) this.#end = event;
    // Compacting only when there is twice as much as is kept is cheap: each event is looked at about once more.
    this.#loose += 1;
    this.#looseBytes += saidSize(event);
    if (this.#loose > 2 * this.#call.maxLogEvents || this.#looseBytes > 2 * KEPT_BYTES) this.#compact();
    if (this.#listeners?.size) this.#undelivered.push(event);
    this.#deliver();
    this.#wake();
  }

  /** What happened before the log began: it goes on behind that, so that cursors stay true. */
  restore(events: readonly SessionEvent[]): void {
    this.#events = events.filter((event) => !isEnd(event));
    this.#last = this.#events.at(-1)?.at ?? 0;
    this.#loose = this.#events.length;
    this.#looseBytes = this.#events.reduce((sum, event) => sum + saidSize(event), 0);
  }

  /** All that is kept after the cursor, oldest first. */
  after(cursor = 0): readonly SessionEvent[] {
    const events = this.#events.slice(this.#indexAfter(cursor));
    const first = events[0];
    if (first?.type === 'gap') events[0] = sinceCursor(first, cursor);
    return events;
  }

  /** The first event after the cursor; waits for it. After the end, the end again. */
  *next(cursor = 0): Operation<SessionEvent> {
    const event = this.peek(cursor);
    if (event) return event;
    return yield* action<SessionEvent>((resolve) => {
      // Something may have happened between the look and the wait.
      const meanwhile = this.peek(cursor);
      if (meanwhile) {
        resolve(meanwhile);
        return () => {};
      }
      const waiter = { after: cursor, wake: resolve };
      this.#waiters ??= new Set();
      const waiters = this.#waiters.add(waiter);
      return () => waiters.delete(waiter);
    }, 'next event');
  }

  /** Like `next`, but `undefined` when there is none yet. */
  peek(cursor = 0): SessionEvent | undefined {
    const event = this.#events[this.#indexAfter(cursor)];
    if (event?.type === 'gap') return sinceCursor(event, cursor);
    return event ?? this.#end;
  }

  /** Drops all but the end; a gap says so. */
  forget(): void {
    const end = this.#end;
    if (!end) return;
    const dropped = this.#events.length - 1;
    const gap: SessionEvent = { type: 'gap', dropped, at: end.at - 1, time: end.time };
    this.#events = dropped > 0 ? [gap, end] : [end];
  }

  /** Calls back on every new event, in order. Returns what stops it. */
  subscribe(listener: (event: SessionEvent) => void): () => void {
    const own = (event: SessionEvent) => listener(event);
    this.#listeners ??= new Set();
    const listeners = this.#listeners.add(own);
    return () => {
      listeners.delete(own);
      // Of thousands of calls that wait, nobody listens to most.
      if (listeners.size === 0 && this.#listeners === listeners) this.#listeners = undefined;
    };
  }

  #indexAfter(cursor: number): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle]?.at ?? 0) > cursor) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  // Each gets what comes next for it: a waiter woken before may have made more happen already.
  #wake(): void {
    const waiters = this.#waiters;
    if (!waiters?.size) return;
    const woken = [...waiters];
    waiters.clear();
    for (const waiter of woken) {
      const event = this.peek(waiter.after);
      if (event) waiter.wake(event);
      else waiters.add(waiter);
    }
  }

  // A listener may answer an ask, which makes more happen: that waits its turn, so that all see one order.
  #deliver(): void {
    if (this.#delivering || this.#undelivered.length === 0) return;
    this.#delivering = true;
    try {
      for (let next = this.#undelivered.shift(); next; next = this.#undelivered.shift()) {
        for (const listener of [...(this.#listeners ?? [])]) {
          try {
            listener(next);
          } catch (error) {
            this.#call.diagnose('a listener of the session threw', error);
          }
        }
      }
    } finally {
      this.#delivering = false;
    }
  }

  /** Whether it is the last word on an open ask, or the last progress of its depth. */
  #isLatest(event: SessionEvent, latest: ReturnType<typeof latestOfEach>): boolean {
    if (event.type === 'progress') return latest.progress.get(event.depth) === event.at;
    return 'ask' in event && this.#call.isOpen(event.ask.id) && latest.asks.get(event.ask.id) === event.at;
  }

  /** The last event that is too long ago to be kept: there are too many after it, or they take up too much. */
  #tooOld(): number {
    let bytes = 0;
    const long = this.#events.findLast((event) => {
      const after = bytes;
      bytes += saidSize(event);
      return bytes > KEPT_BYTES && after > 0;
    });
    return Math.max(this.#last - this.#call.maxLogEvents, long?.at ?? 0);
  }

  #compact(): void {
    const tooOld = this.#tooOld();
    const latest = latestOfEach(this.#events);
    const kept: SessionEvent[] = [];
    let dropped = 0;
    let end: SessionEvent | undefined;
    const closeGap = () => {
      if (end && dropped > 0) kept.push({ type: 'gap', dropped, at: end.at, time: end.time });
      dropped = 0;
      end = undefined;
    };
    this.#loose = 0;
    this.#looseBytes = 0;
    for (const event of this.#events) {
      const bound = isEnd(event) || this.#isLatest(event, latest);
      const recent =
        event.at > (event.type === 'progress' ? Math.max(this.#last - KEPT_PROGRESS, tooOld) : tooOld);
      if (bound || (recent && event.type !== 'gap')) {
        closeGap();
        kept.push(event);
        if (!bound) {
          this.#loose += 1;
          this.#looseBytes += saidSize(event);
        }
        continue;
      }
      if (event.type === 'gap') dropped += event.dropped;
      else if (event.type !== 'progress') dropped += 1;
      end = event;
    }
    closeGap();
    this.#events = kept;
  }
}

function latestOfEach(events: readonly SessionEvent[]) {
  const progress = new Map<number, number>();
  const asks = new Map<string, number>();
  for (const event of events) {
    if (event.type === 'progress') progress.set(event.depth, event.at);
    else if ('ask' in event) asks.set(event.ask.id, event.at);
  }
  return { progress, asks };
}

/** A gap as it looks to a consumer who has read part of what it stands for. */
function sinceCursor<G extends SessionEvent & { type: 'gap' }>(gap: G, cursor: number): G {
  const missed = gap.at - cursor;
  return missed < gap.dropped ? { ...gap, dropped: missed } : gap;
}
