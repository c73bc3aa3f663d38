import { action, type Operation } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { JournalWriteError, StepError } from '../../core/errors/journal-errors.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Pausable } from '../session/open-ask.ts';
import { StepDoublesContext } from '../session/step-doubles.ts';
import { type StepWatch, StepWatchContext } from '../session/step-watch.ts';
import { eventLoopTurn, nextTurn } from '../time/event-loop.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import { untilDue } from '../time/until-due.ts';
import type { CallJournal } from './call-journal.ts';
import type { Delivery } from './replay/replay.ts';
import type { CodedStep, StepGate, StepOutcome } from './step-gate.ts';

/** One approval that is brought ten times would pay ten times. */
const CARRIED =
  "does more than read, and this call is left with its client (state: 'carried' of a server, keys of inline), which can send the same answers again and so run it twice. Keep calls elsewhere (another state, a book of inline), or add { reads: true } if the step only reads, or say that it may run more than once (.durable({ forks: true }), forks: true of inline).";

/** Whether the author allows that what the tool does is done more than once with the same answers. */
function mayRunAgain({ def }: AnyTool): boolean {
  return def.durable?.forks === true || def.annotations.readOnlyHint === true;
}

/** What steps need of their call. */
export interface SteppingCall {
  readonly time: TimeSource;
  /** A durable one promises that everything with an effect is in a step. */
  readonly tool: AnyTool;
  /** Whether the call has ended; cleanup may still run. */
  readonly over: boolean;
}

type Resume = (outcome: StepOutcome | 'live') => void;

/** The steps and sleeps of a call, with its journal. */
export class Steps implements StepGate {
  running = 0;
  readonly #call: SteppingCall;
  readonly #journal: CallJournal;
  /** Those that wait for the journal to say what came of them. */
  #waiting: Map<string, Resume> | undefined;

  constructor(call: SteppingCall, journal: CallJournal) {
    this.#call = call;
    this.#journal = journal;
  }

  recalls(name: string): boolean {
    return this.#journal.recalls(name);
  }

  *run(step: CodedStep, frame: Pausable): Operation<StepOutcome> {
    const journal = this.#journal;
    // Code that lost its stop, in a `finally` that waits, does nothing to the world any more.
    if (this.#call.over) throw new CallEndedError({ verb: 'step' });
    // The promise of a durable tool is worth nothing when nobody writes down what its steps came to.
    if (this.#call.tool.def.durable && journal.forsaken)
      throw new JournalWriteError({ what: `the step '${step.name}'` });
    if (journal.header.carried && !step.reads && !mayRunAgain(this.#call.tool))
      throw new StepError({ step: step.name, problem: CARRIED });
    const { id, written } = journal.openStep(step, frame);
    // As in a replay: what begins beside it begins before it has an outcome.
    const turn = aTurn();
    let watch: StepWatch | undefined;
    let over = false;
    try {
      const known = journal.replaying ? yield* this.#outcomeOf(id) : 'live';
      step.opened?.(id);
      over = known !== 'live';
      if (known !== 'live') return known;
      yield* written;
      let outcome = (yield* StepDoublesContext.get())?.(step.name);
      if (!outcome) {
        const attempt = yield* journal.attempt(id);
        watch = yield* StepWatchContext.get();
        watch?.began(id);
        outcome = yield* step.code({ id, attempt, ...(journal.wasSent(id) ? { sent: true } : {}) });
      }
      // It was cut short: what it came to while it cleaned up is not its outcome.
      if (this.#call.over) return outcome;
      yield* journal.stepped(id, outcome);
      if (!turn.passed) yield* eventLoopTurn();
      over = true;
      watch?.ended(id, outcome.ok ? 'done' : 'failed');
      return outcome;
    } finally {
      if (!over) {
        journal.withdrawn(id);
        watch?.ended(id, 'withdrawn');
      }
    }
  }

  /** Says that a call of another server's tool, which was allowed, is on its way; ends when that is durable. */
  sent(id: string): Operation<void> {
    return this.#journal.sent(id);
  }

  *sleep(milliseconds: number, depth: number, frame: Pausable): Operation<void> {
    const journal = this.#journal;
    const { time } = this.#call;
    if (this.#call.over) {
      // Cleanup may take its time, and nobody takes that up.
      if (milliseconds > 0)
        yield* action<void>((resolve) => time.startTimer(milliseconds, resolve), 'sleep of cleanup');
      return;
    }
    const { id, due } = journal.openTimer(time.now() + milliseconds, depth, frame);
    const resume = frame.pause();
    let over = false;
    try {
      const outcome = journal.replaying ? yield* this.#outcomeOf(id) : 'live';
      if (outcome === 'live') {
        yield* untilDue(time, due);
        yield* journal.elapsed(id);
      }
      over = true;
    } finally {
      resume();
      if (!over) journal.withdrawn(id);
    }
  }

  /** Gives what the journal has on a step or a sleep. */
  deliver(line: Exclude<Delivery, { t: 'answer' | 'fail' }>): void {
    const resume = this.#waiting?.get(line.id);
    this.#waiting?.delete(line.id);
    if (line.t === 'step_failed') resume?.({ ok: false, error: line.error });
    else resume?.({ ok: true, result: line.t === 'stepped' ? structuredClone(line.result) : undefined });
  }

  /** The journal is used up: those that it knows no outcome of go on by themselves. */
  live(): void {
    const waiting = this.#waiting?.values() ?? [];
    this.#waiting = undefined;
    for (const resume of waiting) resume('live');
  }

  #outcomeOf(id: string): Operation<StepOutcome | 'live'> {
    return action<StepOutcome | 'live'>((resolve) => {
      // The journal may have been used up just now.
      if (!this.#journal.replaying) resolve('live');
      else {
        this.#waiting ??= new Map();
        this.#waiting.set(id, resolve);
      }
      return () => this.#waiting?.delete(id);
    }, `outcome of ${id}`);
  }
}

/** Whether the event loop has had a turn since. */
function aTurn(): { readonly passed: boolean } {
  const turn = { passed: false };
  nextTurn(() => {
    turn.passed = true;
  });
  return turn;
}
