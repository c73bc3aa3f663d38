import { ensure, type Operation, scoped } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import type { JsonObject } from '../../../core/messages/json.ts';
import type { CallName, CallStore } from '../../../runtime/journal/call-store.ts';
import { asJson } from '../../wire/as-json.ts';

/** What is done with answers from another process. Ends when they are durable where they belong. */
export type TakeAnswers = (responses: Readonly<Record<string, unknown>>) => Operation<void>;

/**
 * Answers to a task that another process has, and works on: only who has it writes there. Kept beside it, as a call that waits;
 * whoever has the task, or takes it up, takes them.
 */
export class AnswerLetters {
  readonly #store: CallStore;

  constructor(store: CallStore) {
    this.#store = store;
  }

  /** Adds answers, by the keys of their questions. Ends when that is durable; false where somebody else is at it right now. */
  *send(task: CallName, responses: Readonly<Record<string, unknown>>): Operation<boolean> {
    const name = letterOf(task);
    const notes = asJson(responses) as JsonObject;
    try {
      const claim = yield* this.#store.begin({ name, header: { answers: true }, notes });
      yield* this.#store.release(claim);
      return true;
    } catch (error) {
      // There are some before it.
      if (!isParleyError(error, 'SESSION_EXISTS')) throw error;
    }
    const outcome = yield* this.#store.claim(name);
    if (outcome.type !== 'claimed') return false;
    const { claim, call } = outcome;
    const store = this.#store;
    yield* scoped(function* () {
      yield* ensure(() => store.release(claim));
      yield* store.append(claim, { at: call.lineCount, notes });
    });
    return true;
  }

  /** Whether there are any. */
  *has(task: CallName): Operation<boolean> {
    return (yield* this.#store.read(letterOf(task))) !== undefined;
  }

  /** Nothing more comes of the task: nobody takes them any more. */
  *forget(task: CallName): Operation<void> {
    yield* this.#store.forget(letterOf(task));
  }

  /** Takes what there is, and throws it away once that has ended well. */
  *take(task: CallName, takes: TakeAnswers): Operation<void> {
    const name = letterOf(task);
    const store = this.#store;
    if (!(yield* store.read(name))) return;
    yield* scoped(function* () {
      const outcome = yield* store.claim(name);
      if (outcome.type !== 'claimed') return;
      let taken = false;
      yield* ensure(function* () {
        if (!taken) yield* store.release(outcome.claim);
      });
      yield* takes(outcome.call.notes);
      yield* store.forget(name);
      taken = true;
    });
  }
}

function letterOf({ principal, callId }: CallName): CallName {
  return { principal, conversation: 'answers', callId };
}
