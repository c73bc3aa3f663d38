import { type Operation, type Scope, withResolvers } from 'effection';
import { isParleyError } from '../../core/errors/errors.ts';
import { JournalWriteError } from '../../core/errors/journal-errors.ts';
import { sizeOf } from '../data/size-of.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import { isAtWork, type JournalEntry, lineIn } from './entry.ts';
import type { JournalLine } from './lines.ts';
import type { JournalSink } from './sink.ts';

/** What a recorder needs of its call. */
export interface RecordingCall {
  readonly scope: Scope;
  readonly time: TimeSource;
  /** Whether its manager is closing: what cannot be written now is not tried again. */
  readonly closing: boolean;
  /** Calls back when all has happened that follows from what its code was given last. */
  caughtUp(then: () => void): void;
  /** Another process has the call now. */
  lost(error: Error): void;
  diagnose(message: string, cause?: unknown): void;
}

/** How long it tries to write what somebody waits for, milliseconds, and how long it waits between. */
const PATIENCE = 30_000;
const PAUSE = 250;

/** How many lines memory keeps of a call that is written nowhere else. */
const MOST_LINES = 50_000;

/** How much of what steps, and calls of other servers' tools, came to: characters of JSON, together. */
const MOST_RESULTS = 16 * 1024 * 1024;

/** An operation that is over already. */
export const DONE: Operation<void> = {
  [Symbol.iterator]: () => ({ next: () => ({ done: true, value: undefined }) }),
};

interface Waiting {
  readonly entry: JournalEntry;
  /** What it sets off, once it is durable. */
  readonly deliver: (() => void) | undefined;
  readonly since: number;
  /** It is durable, or with an error did not count. */
  settle(error?: Error): void;
}

/**
 * The journal of a call while it grows, and its one queue: append, then deliver, then the next. Without a sink it is kept
 * in memory alone, and is written at once.
 *
 * As in a replay, the next is delivered when all has happened that follows from the last: of two outcomes that come at once,
 * the second is nothing to code that let go of it because of the first.
 */
export class Recorder {
  readonly #call: RecordingCall;
  readonly #entries: JournalEntry[];
  readonly #queue: Waiting[] = [];
  #dropped = 0;
  #given = 0;
  #results = 0;
  #sink: JournalSink | undefined;
  #writing = false;
  /** What follows from what was delivered last is still happening. */
  #following = false;
  #lost = false;
  #idle: (() => void)[] = [];

  constructor(call: RecordingCall, sink: JournalSink | undefined, lines: readonly JournalLine[]) {
    this.#call = call;
    this.#sink = sink;
    this.#entries = [...lines];
    for (const line of lines) this.#weigh(line);
  }

  /** About how many bytes its clients gave: what they answered, and what was wrong with it. */
  get given(): number {
    return this.#given;
  }

  /** Characters of what steps came to. */
  get results(): number {
    return this.#results;
  }

  /** Whether it is written anywhere but in memory, and was not given up. */
  get kept(): boolean {
    return this.#sink !== undefined;
  }

  /** Whether it should be written and cannot be. */
  forsaken = false;

  /** Whether it is too long to be kept in memory: nothing of it is there any more. */
  overflown = false;

  /** How many lines are durable, also of those that memory has dropped. */
  get length(): number {
    return this.#dropped + this.#entries.length;
  }

  /** Whether nothing waits to be written or delivered, and all has happened that follows from what was. */
  get isIdle(): boolean {
    return this.#queue.length === 0 && !this.#following;
  }

  /** How often the call has gone back: nothing of it is written out for that. */
  get rewinds(): number {
    let count = 0;
    for (const { t } of this.#entries) if (t === 'rewind') count += 1;
    return count;
  }

  /** The lines so far. */
  lines(): readonly JournalLine[] {
    return this.#entries.map(lineIn);
  }

  /** Whether a step of it runs or is about to, or a sleep is over, at this time in milliseconds since the epoch. */
  isAtWork(now: number): boolean {
    const queued = this.#queue.map(({ entry }) => entry);
    return isAtWork(this.#entries, queued, now);
  }

  /**
   * Writes a line; `deliver` is called once it is durable, or `dropped` when it cannot be written. What it gives ends then.
   * In memory it is durable at once.
   */
  write(entry: JournalEntry, deliver?: () => void, dropped?: () => void): Operation<void> {
    if (this.#lost) return DONE;
    if (!this.#sink && entry.t === 'end') this.#leaveOut(() => true);
    // What the code let go of has no outcome.
    else if (entry.t === 'withdraw' && this.#following) this.#leaveOut((late) => idOf(late) === entry.id);
    const next = this.#queue.length === 0 || (!this.#sink && !deliver);
    if (next && !(deliver && this.#following) && this.#countsAtOnce(entry)) {
      this.#deliver(deliver);
      return DONE;
    }
    const done = withResolvers<void>('a line of the journal');
    const settle = (error?: Error) => {
      if (!error) return done.resolve();
      dropped?.();
      done.reject(error);
    };
    this.#queue.push({ entry, deliver, since: this.#call.time.now(), settle });
    this.#pump();
    return done.operation;
  }

  /** Waits until everything so far is durable, or given up. */
  *flushed(): Operation<void> {
    if (this.#queue.length === 0) return;
    const idle = withResolvers<void>('the journal is written');
    this.#idle.push(idle.resolve);
    yield* idle.operation;
  }

  /** Drops what there is, and all that comes. */
  forget(): void {
    this.#dropped = this.length;
    this.#given = 0;
    this.#results = 0;
    this.#entries.length = 0;
    this.overflown = true;
  }

  /** Memory is bounded, however long a call goes on, and however often somebody answers wrongly. */
  #keep(entry: JournalEntry): void {
    // The log keeps the newest answers.
    if (this.overflown) {
      this.#weigh(entry);
      return;
    }
    const last = this.#entries.at(-1);
    if (entry.t === 'refused' && last?.t === 'refused' && last.id === entry.id) {
      this.#entries.pop();
      this.#given -= sizeOf(last.problem);
    }
    this.#add(entry);
    if (this.#entries.length > MOST_LINES || this.#results > MOST_RESULTS) this.forget();
  }

  #add(entry: JournalEntry): void {
    this.#entries.push(entry);
    this.#weigh(entry);
  }

  #weigh(entry: JournalEntry): void {
    if (entry.t === 'answer') this.#given += sizeOf(entry.answer);
    else if (entry.t === 'fail') this.#given += sizeOf(entry.error);
    else if (entry.t === 'refused') this.#given += sizeOf(entry.problem);
    else if (entry.t === 'stepped') this.#results += JSON.stringify(entry.result ?? null).length;
  }

  /** Whether it needs no writing before it counts; then it is in the journal. */
  #countsAtOnce(entry: JournalEntry): boolean {
    if (!this.#sink) this.#keep(entry);
    else if (this.#sink.defer?.(lineIn(entry))) this.#add(entry);
    else return false;
    return true;
  }

  #deliver(deliver: (() => void) | undefined): void {
    if (!deliver) return;
    this.follow();
    deliver();
  }

  /** Something is given to the code: nothing else is before all has happened that follows from it. */
  follow(): void {
    if (this.#following) return;
    this.#following = true;
    this.#call.caughtUp(() => {
      this.#following = false;
      this.#pump();
    });
  }

  /** Drops what waits for its turn, and comes too late. Nothing is on its way to the sink meanwhile: that begins behind what follows. */
  #leaveOut(late: (entry: JournalEntry) => boolean): void {
    const queue = this.#queue.splice(0);
    for (const one of queue) {
      if (one.deliver && late(one.entry)) queueMicrotask(one.settle);
      else this.#queue.push(one);
    }
    this.#rest();
  }

  #pump(): void {
    if (this.#writing || this.#following) return;
    const [first] = this.#queue;
    if (!first) return;
    if (this.#countsAtOnce(first.entry)) {
      this.#queue.shift();
      this.#deliver(first.deliver);
      queueMicrotask(first.settle);
      this.#rest();
      this.#pump();
      return;
    }
    this.#writing = true;
    const batch = this.#nextBatch();
    this.#append(batch).then(
      () => this.#written(batch.length),
      (error: unknown) => this.#failed(error),
    );
  }

  /** Up to and with the next line that sets something off: nothing is seen before it is written. */
  #nextBatch(): readonly Waiting[] {
    const last = this.#queue.findIndex(({ deliver }) => deliver !== undefined);
    return last < 0 ? [...this.#queue] : this.#queue.slice(0, last + 1);
  }

  #append(batch: readonly Waiting[]): Promise<void> {
    const sink = this.#sink;
    const before = this.length;
    return Promise.resolve(
      this.#call.scope.run(function* () {
        if (sink)
          yield* sink.append(
            batch.map(({ entry }) => lineIn(entry)),
            before,
          );
      }),
    );
  }

  #written(count: number): void {
    const batch = this.#queue.splice(0, count);
    for (const { entry } of batch) this.#add(entry);
    this.#writing = false;
    // Who waits for that goes first: it may go back, and what follows from the last line with it.
    this.#rest();
    for (const { deliver, settle } of batch) {
      this.#deliver(deliver);
      // Whoever waits for it goes on behind what it has set off.
      queueMicrotask(settle);
    }
    this.#pump();
  }

  #failed(error: unknown): void {
    if (this.#call.closing) {
      this.#drop(new JournalWriteError({ what: 'what happened', cause: error }));
      return;
    }
    if (isParleyError(error, 'CLAIM_LOST')) {
      this.#drop(error);
      this.#call.lost(error);
      return;
    }
    if (this.#sink?.optional) {
      this.#call.diagnose('the call cannot be saved, so it continues without a journal', error);
      this.#sink = undefined;
      this.forsaken = true;
      this.#written(this.#queue.length);
      return;
    }
    this.#giveUp(error);
    this.#rest();
    // What the tool did has happened: it is written as soon as it can be.
    this.#call.time.startTimer(PAUSE, () => {
      this.#writing = false;
      if (!this.#call.closing) this.#pump();
    });
  }

  /** Nothing is written any more. */
  #drop(error: Error): void {
    this.#lost = true;
    for (const { settle } of this.#queue.splice(0)) settle(error);
    this.#rest();
  }

  /** Tells those who have waited too long that it did not count; nothing else can be taken back. */
  #giveUp(cause: unknown): void {
    const now = this.#call.time.now();
    for (let index = this.#queue.length - 1; index >= 0; index--) {
      const waiting = this.#queue[index];
      if (!waiting?.deliver || now - waiting.since < PATIENCE) continue;
      this.#queue.splice(index, 1);
      waiting.settle(new JournalWriteError({ what: wordFor(waiting.entry), cause }));
    }
  }

  #rest(): void {
    if (this.#queue.length > 0) return;
    for (const resolve of this.#idle.splice(0)) resolve();
  }
}

function idOf(entry: JournalEntry): string | undefined {
  return 'id' in entry ? entry.id : undefined;
}

function wordFor({ t }: JournalEntry): string {
  if (t === 'answer' || t === 'fail') return 'the answer';
  return t === 'stepped' || t === 'step_failed' ? 'what a step came to' : 'what happened';
}
