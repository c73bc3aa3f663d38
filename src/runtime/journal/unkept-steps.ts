import { action, type Operation } from 'effection';
import type { Pausable } from '../session/open-ask.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import type { StepGate, StepOpening, StepTurn } from './step-gate.ts';

/** Steps of a call whose journal cannot be reached: each runs, and nobody writes down what it came to. */
export class UnkeptSteps implements StepGate {
  running = 0;
  readonly #time: TimeSource;
  #count = 0;

  constructor(time: TimeSource) {
    this.#time = time;
  }

  *open(_opening: StepOpening): Operation<StepTurn> {
    return { id: `step-${++this.#count}`, run: true, attempt: 1 };
  }

  *close(): Operation<void> {}

  letGo(): void {}

  *sleep(milliseconds: number, _depth: number, frame: Pausable): Operation<void> {
    const resume = frame.pause();
    try {
      yield* action<void>((resolve) => this.#time.startTimer(milliseconds, resolve), `sleep ${milliseconds}`);
    } finally {
      resume();
    }
  }
}
