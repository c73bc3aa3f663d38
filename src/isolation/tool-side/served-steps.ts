import { type Operation, withResolvers } from 'effection';
import type { CodedStep, StepGate, StepOutcome, StepTurn } from '../../runtime/journal/step-gate.ts';
import type { Pausable } from '../../runtime/session/open-ask.ts';
import type { MethodResult } from '../wire/contract.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
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

  *run({ code, opened, ...opening }: CodedStep): Operation<StepOutcome> {
    const turn = withResolvers<StepTurn | undefined>('the turn of a step');
    const came = withResolvers<StepOutcome>('what the code of a step comes to');
    const kept = withResolvers<MethodResult<SessionMethods, 'step'>>('what a step came to');
    let over = false;
    const made = this.#session.request(
      'step',
      opening,
      (result) => {
        over = true;
        turn.resolve(undefined);
        if (result.ok) kept.resolve(result.value);
        else kept.reject(result.error);
      },
      {
        handlers: {
          *turn(given) {
            turn.resolve(given);
            return yield* came.operation;
          },
        },
      },
    );
    try {
      // Its code runs here, as a part of the tool's, and not within the call.
      const given = yield* turn.operation;
      if (given) {
        opened?.(given.id);
        came.resolve(yield* code(given));
      }
      const { id, outcome } = yield* kept.operation;
      if (!given) opened?.(id);
      return outcome;
    } finally {
      if (!over) made.cancel();
    }
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
