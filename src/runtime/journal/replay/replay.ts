import type { Divergence } from '../../../core/errors/journal-errors.ts';
import { nextTurn } from '../../time/event-loop.ts';
import type { TimeSource } from '../../time/machine-clock.ts';
import type { Counted } from '../effective.ts';
import type { JournalLine, LineOf } from '../lines.ts';
import { fingerprint } from '../said.ts';
import { type Doing, describeDoing, describeLine, type ToolLine } from './replay-words.ts';

/** Something that came into the call, to be given again. */
export type Delivery = LineOf<'answer' | 'fail' | 'stepped' | 'step_failed' | 'elapsed'>;

/**
 * How strict a replay is; `lenient-reads` gives an answer also where the words of its question have changed, `lenient-steps` leaves out
 * no step that has done something: it would be done twice.
 */
export type Strictness = 'strict' | 'lenient' | 'lenient-reads' | 'lenient-steps';

/** What a replay works on. */
export interface ReplayedCall {
  readonly time: TimeSource;
  /** Calls back when all has happened that follows from what its code was given last, wherever that runs. */
  caughtUp(then: () => void): void;
  /** Gives what came in then. Throws where it does not fit now. */
  deliver(line: Delivery): void | Promise<void>;
  /** Takes note of what was so when a line was written: its time, capabilities, a question that was asked again. */
  note(line: JournalLine): void;
  /** The tool did something else. */
  diverged(how: Omit<Divergence, 'toolName' | 'changed'>, cause?: Error): void;
  /** The journal is used up; where `keep` is given, everything from that line on does not count any more. */
  done(keep?: number): void;
}

type Unrecorded = Pick<Divergence, 'unrecorded'>;

/** A tool that comes to nothing for so long, in milliseconds, has diverged. */
const PATIENCE = 10_000;

/** Turns of the event loop before that is looked at: most replays are over by then. */
const SOON = 20;

/**
 * A cursor over the lines of a journal. What the tool does is matched with what it did; what came in is given once all that
 * the tool did before has happened, and all that follows from what was given last.
 */
export class Replay {
  readonly #call: ReplayedCall;
  readonly #lines: readonly Counted[];
  readonly #strictness: Strictness;
  /** Everything before it has been given. */
  #cursor = 0;
  /** Everything that the tool did before it has been matched. */
  #matched = 0;
  #over = false;
  #last = false;
  /** What comes in next has to wait for what follows from the last. */
  #following = false;
  #look: (() => void) | undefined;
  #stopTimer: (() => void) | undefined;
  #moves = 0;

  constructor(call: ReplayedCall, lines: readonly Counted[], strictness: Strictness) {
    this.#call = call;
    this.#lines = given(lines);
    this.#strictness = strictness;
    this.#matched = this.#nextToolLine(0);
  }

  /** Whether the tool still does what it has done before: nobody is told of it again. */
  get silent(): boolean {
    return !this.#over && !this.#last;
  }

  /** Begins; after the tool's code has. */
  start(): void {
    this.#watchLater(SOON);
    this.#advance();
  }

  /** Stops for good: the call has ended. */
  stop(): void {
    this.#over = true;
    this.#look?.();
    this.#stopTimer?.();
  }

  /**
   * The line of what the tool is about to do; `undefined` where it does something new, which is for after the journal.
   * When the tool has diverged, it is told so and gets `diverged`.
   */
  match(doing: Doing): ToolLine | 'diverged' | undefined {
    if (this.#over) return undefined;
    const next = this.#lines[this.#matched];
    if (!next) return undefined;
    const line = next.line as ToolLine;
    if (!isSame(line, doing, this.#strictness)) {
      const unrecorded = doing.t === 'step' && doing.call !== undefined && !this.#hasCalls();
      return this.#leaveOut(next, describeDoing(doing, line), { unrecorded }) ? undefined : 'diverged';
    }
    this.#matched = this.#nextToolLine(this.#matched + 1);
    this.#moves += 1;
    this.#advance();
    return line;
  }

  /** What the tool did next. */
  next(): JournalLine | undefined {
    return this.#over ? undefined : this.#lines[this.#matched]?.line;
  }

  /** What `before` handed on, if it did; what it did itself counts as having happened. */
  before(): LineOf<'before'> | undefined {
    const at = this.#lines.findIndex(({ line }) => line.t === 'before');
    const found = this.#lines[at]?.line;
    if (found?.t !== 'before') return undefined;
    for (const { line } of this.#lines.slice(0, at + 1)) this.#call.note(line);
    this.#cursor = at + 1;
    this.#matched = this.#nextToolLine(at + 1);
    return found;
  }

  /** The tool's code is over. False, and it has diverged, where it did more then. */
  ends(how: string, cause?: Error): boolean {
    if (this.#over) return true;
    const next = this.#lines[this.#matched];
    if (next && this.#strictness === 'strict') {
      this.#diverge(next, how, cause);
      return false;
    }
    this.#finish();
    return true;
  }

  #nextToolLine(from: number): number {
    let at = from;
    while (at < this.#lines.length && !isToolLine(this.#lines[at]?.line)) at += 1;
    return at;
  }

  #advance(): void {
    if (this.#over || this.#following) return;
    this.#skipNotes(true);
    const next = this.#lines[this.#cursor];
    if (next && isToolLine(next.line)) {
      // A limit of a branch may be what ends this: its clock is at what it was.
      if (next.line.t === 'withdraw') this.#call.note(next.line);
      return;
    }
    // Also at the end of the lines: first comes what follows from the last one.
    this.#following = true;
    this.#call.caughtUp(() => {
      this.#following = false;
      this.#deliverNext();
    });
  }

  /**
   * What has happened already, and what is only taken note of.
   *
   * @param opening the tool is about to open something: what is noted of it has to wait until it is open
   */
  #skipNotes(opening = false): void {
    for (; this.#cursor < this.#lines.length; this.#cursor++) {
      const line = this.#lines[this.#cursor]?.line;
      if (!line || isDelivery(line) || (isToolLine(line) && this.#cursor >= this.#matched)) return;
      if (opening && line.t === 'refused') return;
      this.#call.note(line);
    }
  }

  #deliverNext(): void {
    if (this.#over) return;
    this.#skipNotes();
    const next = this.#lines[this.#cursor];
    if (!next) {
      this.#finish();
      return;
    }
    if (!isDelivery(next.line)) return;
    this.#call.note(next.line);
    this.#cursor += 1;
    this.#skipNotes();
    // What follows from the last one is new.
    this.#last = this.#cursor >= this.#lines.length;
    const given = () => {
      this.#moves += 1;
      if (this.#last) this.#finish();
      else this.#advance();
    };
    const misfit = (error: unknown) =>
      this.#misfit(next, error instanceof Error ? error.message : String(error));
    try {
      // A question's answer may be checked in another realm.
      const late = this.#call.deliver(next.line);
      if (late) late.then(given, misfit);
      else given();
    } catch (error) {
      misfit(error);
    }
  }

  #finish(keep?: number): void {
    if (this.#over) return;
    this.stop();
    this.#call.done(keep);
  }

  #diverge({ line, index }: Counted, now: string, cause?: Error, more: Unrecorded = {}): void {
    if (this.#over) return;
    this.stop();
    this.#call.diverged({ did: describeLine(line), does: now, line: index + 1, ...more }, cause);
  }

  /** Whether a call of another server's tool is written down. Parley did not always do so. */
  #hasCalls(): boolean {
    return this.#lines.some(({ line }) => line.t === 'step' && line.call !== undefined);
  }

  #misfit(next: Counted, problem: string): void {
    if (this.#over) return;
    // A question is asked again; of all else, nobody could be asked.
    if (next.line.t === 'answer') this.#leaveOut(next, problem);
    else this.#diverge(next, problem);
  }

  /** Goes live, where the lines from here on may be left out. Else it has diverged: false. */
  #leaveOut(next: Counted, now: string, { unrecorded = false }: Unrecorded = {}): boolean {
    const done = this.#strictness === 'lenient-steps' ? this.#effectFrom(next) : undefined;
    if (this.#strictness === 'strict' || done) {
      const again = done ? `${now}, and would do the step '${done.name}' again` : now;
      this.#diverge(next, again, undefined, unrecorded ? { unrecorded } : {});
      return false;
    }
    this.#finish(next.index);
    return true;
  }

  /** The first step from a line on that may have done something. */
  #effectFrom({ index }: Counted): LineOf<'step'> | undefined {
    const found = this.#lines.find(({ line, index: at }) => at >= index && line.t === 'step' && !line.reads);
    return found?.line.t === 'step' ? found.line : undefined;
  }

  #watchLater(turns: number): void {
    this.#look = nextTurn(() => {
      if (turns > 0) this.#watchLater(turns - 1);
      else this.#watch();
    });
  }

  #watch(): void {
    const moves = this.#moves;
    this.#stopTimer = this.#call.time.startTimer(PATIENCE, () => {
      const next = this.#lines[this.#matched];
      if (moves !== this.#moves || !next) this.#watch();
      else this.#diverge(next, `has done nothing for ${PATIENCE / 1000} s`);
    });
  }
}

/**
 * Without outcomes that came when the tool had let go already: it never saw them. And without what a call of another server's tool
 * asked: it is not made again while the tool is taken to where it was.
 */
function given(lines: readonly Counted[]): readonly Counted[] {
  const gone = new Set(lines.flatMap(({ line }) => (line.t === 'withdraw' ? [line.id] : [])));
  const inner = new Set(lines.flatMap(({ line }) => (line.t === 'open' && line.within ? [line.id] : [])));
  return lines.filter(
    ({ line }) => !(isDelivery(line) && gone.has(line.id)) && !('id' in line && inner.has(line.id)),
  );
}

function isToolLine(line: JournalLine | undefined): line is ToolLine {
  if (line?.t === 'step') return line.attempt === 1 && !line.sent;
  return line?.t === 'open' || line?.t === 'withdraw' || line?.t === 'timer';
}

function isDelivery(line: JournalLine): line is Delivery {
  const { t } = line;
  return t === 'answer' || t === 'fail' || t === 'stepped' || t === 'step_failed' || t === 'elapsed';
}

function isSame(line: ToolLine, doing: Doing, strictness: Strictness): boolean {
  if (line.t === 'withdraw') return doing.t === 'withdraw' && doing.id === line.id;
  if (doing.t === 'withdraw' || line.depth !== doing.depth) return false;
  if (line.t === 'step') return doing.t === 'step' && doing.name === line.name && doing.call === line.call;
  if (line.t === 'timer') return doing.t === 'timer';
  if (doing.t !== 'open' || doing.kind !== line.kind || doing.name !== line.name) return false;
  return strictness === 'lenient-reads' || fingerprint(doing) === line.print;
}
