import type { Operation, Scope } from 'effection';
import type { UnfinishedBeginning } from '../taskless/begin.ts';
import { type Going, goOn } from '../taskless/go-on.ts';
import type { WaitPlace } from '../taskless/wait.ts';

/** A verb that waits for its client. */
export interface RunningVerb {
  /** Ends it; resolves when it has cleaned up. */
  halt(): Promise<void>;
}

/** Where a verb runs that may do without a task: where whoever drives does. */
export interface VerbPlace extends Pick<WaitPlace, 'scope' | 'contexts'> {
  /** Gives a place for tasks, as soon as there is one. */
  withTasks(what: (tasks: Scope) => void): void;
  /** Its code is over. */
  ended(): void;
}

/** Runs a verb as a child of a task. */
export function runVerb(begun: UnfinishedBeginning<void>, tasks: Scope, ended: () => void): RunningVerb {
  return tasks.run(function* () {
    try {
      yield* begun.rest;
    } finally {
      ended();
    }
  });
}

/** Runs a verb without a task for as long as it only waits, as one does that is a request to a client. */
export function runLightly(begun: UnfinishedBeginning<void>, place: VerbPlace): RunningVerb {
  return new LightVerb(begun, place);
}

class LightVerb implements RunningVerb {
  readonly #place: VerbPlace;
  readonly #going: Going;
  /** What waits for a place for tasks. */
  #left: UnfinishedBeginning<void> | undefined;
  #task: RunningVerb | undefined;
  #cleaning: Promise<void> | undefined;

  constructor(begun: UnfinishedBeginning<void>, place: VerbPlace) {
    this.#place = place;
    const { scope, contexts } = place;
    this.#going = goOn(begun, {
      scope,
      ...(contexts && { contexts }),
      over: () => place.ended(),
      needsTask: (left) => {
        this.#left = left;
        place.withTasks((tasks) => this.#runTask(tasks));
      },
      halted: (cleanup) => {
        if (cleanup) this.#cleanUp(cleanup);
        place.ended();
      },
    });
  }

  async halt(): Promise<void> {
    this.#going.halt();
    if (this.#left) {
      this.#cleanUp(this.#left.close);
      this.#left = undefined;
    }
    await this.#task?.halt();
    await this.#cleaning;
  }

  #runTask(tasks: Scope): void {
    const left = this.#left;
    this.#left = undefined;
    if (left) this.#task = runVerb(left, tasks, () => this.#place.ended());
  }

  #cleanUp(cleanup: Operation<void>): void {
    this.#cleaning = Promise.resolve(this.#place.scope.run(() => cleanup));
  }
}
