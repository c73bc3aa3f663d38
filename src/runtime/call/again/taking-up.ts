import { action, type Operation, type Result } from 'effection';
import { type Divergence, ReplayDivergedError } from '../../../core/errors/journal-errors.ts';
import { toError } from '../../../core/errors/parley-error.ts';
import { defined } from '../../../core/schema/defined.ts';
import type { CallJournal } from '../../journal/call-journal.ts';
import type { Counted } from '../../journal/effective.ts';
import type { JournalLine } from '../../journal/lines.ts';
import type { Delivery, Replay, ReplayedCall } from '../../journal/replay/replay.ts';
import type { Steps } from '../../journal/steps.ts';
import type { Asks } from '../../session/asks.ts';
import type { SessionHappening } from '../../session/events.ts';
import type { MachineClock, TimeSource } from '../../time/machine-clock.ts';

/** What of a call is taken to where it was. */
export interface TakenUpCall {
  readonly toolName: string;
  readonly time: TimeSource;
  readonly journal: CallJournal;
  readonly asks: Asks;
  readonly steps: Steps;
  readonly clock: MachineClock;
  emit(happening: SessionHappening): void;
  /** Calls back when all has happened that follows from what its code was given last. */
  caughtUp(then: () => void): void;
  /** Its clients can do something else, or could then. */
  capable(): void;
  /** Ends the call, whatever its code would make of the error. */
  fail(error: Error): void;
  /** Its code is where it was: capabilities are those of now. */
  live(): void;
}

/** What a call is taken to where it was with. What makes it is loaded when it is needed. */
export interface UpTo {
  readonly lines: readonly Counted[];
  make(call: ReplayedCall): Replay;
  /** Whether the tool's code has changed since; absent where nobody knows. */
  readonly changed?: boolean;
  /** From there it goes back before anybody sees it: it was going back when its process died. */
  readonly halfway?: boolean;
}

/** How the code of a call is taken to where its journal leaves it. */
export class TakingUp implements ReplayedCall {
  readonly #call: TakenUpCall;
  /** The clocks that stand still meanwhile: time is that of the lines. */
  readonly #held: MachineClock[] = [];
  #replay: Replay | undefined;
  #up: UpTo | undefined;
  #reached = false;
  /** Who waits until it is over; nothing where it is. */
  #waiting: Set<() => void> | undefined;

  constructor(call: TakenUpCall) {
    this.#call = call;
  }

  get time(): TimeSource {
    return this.#call.time;
  }

  caughtUp(then: () => void): void {
    this.#call.caughtUp(then);
  }

  /** Before the tool's code begins. */
  prepare(up: UpTo): void {
    const { journal, clock } = this.#call;
    this.#waiting = new Set();
    this.#up = up;
    this.#reached = false;
    this.#replay = up.make(this);
    journal.replayWith(this.#replay, up.lines);
    this.hold(clock);
  }

  /** When the tool's code has begun. */
  start(): void {
    this.#replay?.start();
  }

  /** The tool's code is over. False when that is not what it did then: the call has failed. */
  ends(how: string, cause?: Error): boolean {
    // It was let go there: what its code comes to by then is not the end of the call.
    if (this.#up?.halfway && this.#reached) return false;
    if (this.#up?.halfway && this.#replay && cause) {
      this.#call.fail(cause);
      return false;
    }
    return this.#replay?.ends(how, cause) ?? true;
  }

  /** Waits until it is over, or the call is: true when its code came to where it was. */
  *wait(): Operation<boolean> {
    const waiting = this.#waiting;
    if (waiting) {
      yield* action<void>((resolve) => {
        waiting.add(resolve);
        return () => waiting.delete(resolve);
      }, 'the replay is over');
    }
    return this.#reached;
  }

  hold(clock: MachineClock): void {
    if (!this.#replay) return;
    clock.pause();
    this.#held.push(clock);
  }

  /** Its code is let go, or goes on by itself: its clocks run. */
  stop(): void {
    this.#replay?.stop();
    this.#replay = undefined;
    for (const clock of this.#held.splice(0)) clock.resume();
  }

  /** Wakes whoever waits for it, behind the tool's code, which goes on with what it was given last. */
  settle(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (!waiting) return;
    queueMicrotask(() => {
      for (const resolve of [...waiting]) resolve();
    });
  }

  deliver(line: Delivery): void | Promise<void> {
    const { asks, steps } = this.#call;
    return line.t === 'answer' || line.t === 'fail' ? asks.give(line) : steps.deliver(line);
  }

  note(line: JournalLine): void {
    const { asks, journal, clock } = this.#call;
    clock.restore(line.ms);
    if (line.branches && 'id' in line && line.id) asks.find(line.id)?.frame.setSpent?.(line.branches);
    if (line.t !== 'capabilities') return;
    journal.recall(line.capabilities);
    this.#call.capable();
  }

  diverged(how: Omit<Divergence, 'toolName' | 'changed'>, cause?: Error): void {
    const { toolName } = this.#call;
    this.#call.fail(
      new ReplayDivergedError({
        ...how,
        toolName,
        ...defined({ changed: this.#up?.changed }),
        ...(cause ? { cause } : {}),
      }),
    );
  }

  done(keep?: number): void {
    const { journal, asks, steps } = this.#call;
    this.#reached = true;
    if (this.#up?.halfway) {
      asks.withdrawAll();
      journal.release();
      this.stop();
      this.settle();
      return;
    }
    journal.live(keep);
    this.stop();
    this.#call.live();
    this.#call.capable();
    const to = keep === undefined ? undefined : this.#questionFrom(keep);
    if (to !== undefined) this.#call.emit({ type: 'rewound', to });
    asks.reveal();
    steps.live();
    this.settle();
  }

  /** The first question that is asked again, where lines are left out. */
  #questionFrom(keep: number): string | undefined {
    const lines = this.#up?.lines ?? [];
    for (const { line, index } of lines) {
      if (index < keep || (line.t !== 'open' && line.t !== 'answer')) continue;
      if (line.id.startsWith('elicit-')) return line.id;
    }
    return undefined;
  }
}

/** How code came to its end, for {@link TakingUp.ends}. */
export function howItEnded(result: Result<unknown>): [how: string, cause?: Error] {
  if (result.ok) return ['has ended'];
  const error = toError(result.error);
  return [`has failed (${error.message})`, error];
}
