import type { Operation } from 'effection';
import type { StepGate, StepOpening, StepOutcome, StepTurn } from '../../runtime/journal/step-gate.ts';
import type { Pausable } from '../../runtime/session/open-ask.ts';
import type { SessionPeer } from '../wire/peers.ts';

/** The steps and sleeps of a call whose journal is in another realm: opened and written down there, run here. */
export class ServedSteps implements StepGate {
  running = 0;
  readonly #session: SessionPeer;

  constructor(session: SessionPeer) {
    this.#session = session;
  }

  /** Tools of servers are where the session is, and so is what is known of calls of them. */
  recalls(): boolean {
    return false;
  }

  open(opening: StepOpening): Operation<StepTurn> {
    // Its turn may be on its way, and nobody takes it.
    const cancelled = (call: number) => this.#session.tell('letGo', { call });
    return this.#session.call('step', opening, undefined, cancelled);
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
      yield* this.#session.call('sleep', sleep);
    } finally {
      resume();
    }
  }
}
