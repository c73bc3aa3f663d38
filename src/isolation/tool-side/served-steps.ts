import { Ok, type Operation } from 'effection';
import type { Delivery } from '../../runtime/journal/replay/replay.ts';
import type { StepGate, StepOpening, StepOutcome, StepTurn } from '../../runtime/journal/step-gate.ts';
import type { Pausable } from '../../runtime/session/open-ask.ts';
import type { SessionPeer } from '../wire/peers.ts';
import type { Ahead } from './ahead.ts';

/** The steps and sleeps of a call whose journal is in another realm: opened and written down there, run here. */
export class ServedSteps implements StepGate {
  running = 0;
  readonly #session: SessionPeer;
  readonly #ahead: Ahead | undefined;

  constructor(session: SessionPeer, ahead: Ahead | undefined) {
    this.#session = session;
    this.#ahead = ahead;
  }

  /** Tools of servers are where the session is, and so is what is known of calls of them. */
  recalls(): boolean {
    return false;
  }

  open(opening: StepOpening): Operation<StepTurn> {
    const ahead = this.#ahead;
    // Its turn may be on its way, and nobody takes it.
    const cancelled = (call: number) => this.#session.tell('letGo', { call });
    if (!ahead) return this.#session.call('step', opening, undefined, cancelled);
    const { name, depth, undo } = opening;
    return ahead.wait('step', opening, {
      doing: { t: 'step', name, depth, call: undefined },
      read(line) {
        if (undo) ahead.undos.push(line.id);
        return Ok({ id: line.id, run: false, outcome: outcomeIn(line) });
      },
      cancelled,
    });
  }

  close(id: string, outcome: StepOutcome): Operation<void> {
    return this.#session.call('stepped', { id, outcome });
  }

  letGo(id: string): void {
    this.#session.tell('letGo', { id });
  }

  *sleep(milliseconds: number, depth: number, frame: Pausable): Operation<void> {
    const resume = frame.pause();
    try {
      // JSON has no infinity; who sleeps for that long is halted before.
      const sleep = { milliseconds: Math.min(milliseconds, Number.MAX_SAFE_INTEGER), depth };
      if (!this.#ahead) yield* this.#session.call('sleep', sleep);
      else
        yield* this.#ahead.wait('sleep', sleep, { doing: { t: 'timer', depth }, read: () => Ok(undefined) });
    } finally {
      resume();
    }
  }
}

function outcomeIn(line: Delivery): StepOutcome {
  if (line.t === 'step_failed') return { ok: false, error: line.error };
  return { ok: true, result: line.t === 'stepped' ? line.result : undefined };
}
