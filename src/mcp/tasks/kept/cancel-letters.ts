import type { Operation } from 'effection';
import { isParleyError } from '../../../core/errors/errors.ts';
import type { CallName, CallStore } from '../../../runtime/journal/call-store.ts';

/**
 * What a client said of a task that another process has: only who has it writes there. Kept beside it, as a call that has ended; whoever
 * has the task, or takes it up, looks for it.
 */
export class CancelLetters {
  readonly #store: CallStore;

  constructor(store: CallStore) {
    this.#store = store;
  }

  /** The task is to be cancelled. Ends when that is durable. */
  *send(task: CallName): Operation<void> {
    try {
      const claim = yield* this.#store.begin({ name: letterOf(task), header: { cancel: true }, ended: true });
      yield* this.#store.release(claim);
    } catch (error) {
      // It was said before.
      if (!isParleyError(error, 'SESSION_EXISTS')) throw error;
    }
  }

  /** Whether there is one. */
  *has(task: CallName): Operation<boolean> {
    return (yield* this.#store.read(letterOf(task))) !== undefined;
  }

  /** The task is cancelled: it says so itself from here on. */
  *done(task: CallName): Operation<void> {
    yield* this.#store.forget(letterOf(task));
  }
}

function letterOf({ principal, callId }: CallName): CallName {
  return { principal, conversation: 'cancel', callId };
}
