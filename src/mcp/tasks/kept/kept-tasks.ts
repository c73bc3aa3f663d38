import { ensure, type Operation, scoped } from 'effection';
import type {
  CallName,
  CallStore,
  Claim,
  ClaimOutcome,
  StoredCall,
} from '../../../runtime/journal/call-store.ts';
import { isAnsweredBeside, isNewerJournal } from '../../../runtime/journal/lines.ts';
import { HeldCall } from '../../../runtime/manager/held-call.ts';
import {
  cancelled,
  isExpired,
  isOver,
  type Task,
  type TaskNote,
  taskNoted,
  taskNoteIn,
  unknownTask,
} from '../task.ts';
import { AnswerLetters, type TakeAnswers } from './answer-letters.ts';
import { CancelLetters } from './cancel-letters.ts';

/** A task as a store has it. */
export interface KeptTask {
  readonly call: StoredCall;
  readonly note: TaskNote;
}

/** What is said of a task that was cancelled. */
export const CANCELLED = 'its client cancelled it';

/** Most tasks of a principal that are listed. */
const MOST = 1_000;

/** The tasks that a store keeps, as far as they are in no process here. */
export class KeptTasks {
  readonly #store: CallStore;
  readonly #letters: CancelLetters;
  readonly #answers: AnswerLetters;

  constructor(store: CallStore) {
    this.#store = store;
    this.#letters = new CancelLetters(store);
    this.#answers = new AnswerLetters(store);
  }

  /** How it stands there. @throws `-32602` for one that is not there, or is too old */
  *read(name: CallName): Operation<KeptTask> {
    const call = yield* this.#store.read(name);
    const note = call && taskNoteIn(call.notes);
    if (!call || !note || isExpired(note, Date.now())) throw unknownTask();
    return { call, note };
  }

  *list(principal: string): Operation<readonly Task[]> {
    const calls = yield* this.#store.list({ principal, conversation: '', limit: MOST });
    return calls.flatMap(({ name, notes }) => {
      const note = taskNoteIn(notes);
      return note ? [{ id: name.callId, ...note }] : [];
    });
  }

  claim(name: CallName): Operation<ClaimOutcome> {
    return this.#store.claim(name);
  }

  release(claim: Claim): Operation<void> {
    return this.#store.release(claim);
  }

  /** Whether it was cancelled while another process had it. */
  wasCancelled(name: CallName): Operation<boolean> {
    return this.#letters.has(name);
  }

  /** It says so itself by now. */
  heard(name: CallName): Operation<void> {
    return this.#letters.done(name);
  }

  /**
   * Gives answers to the process that has it, as far as it asks for them. Ends when they are durable; false where it asks for none of
   * them, where that process may not look for them, and where somebody else is at it right now.
   */
  *sendAnswers(
    name: CallName,
    { call: { header }, note: { questions = {} } }: KeptTask,
    responses: Readonly<Record<string, unknown>>,
  ): Operation<boolean> {
    const given = Object.entries(responses).filter(([key]) => Object.hasOwn(questions, key));
    // Who began it otherwise may be an older Parley, and has it yet.
    return (
      given.length > 0 &&
      isAnsweredBeside(header) &&
      (yield* this.#answers.send(name, Object.fromEntries(given)))
    );
  }

  /** Whether it was given answers while another process had it. */
  wasAnswered(name: CallName): Operation<boolean> {
    return this.#answers.has(name);
  }

  /** Takes those, for who has it. */
  takeAnswers(name: CallName, takes: TakeAnswers): Operation<void> {
    return this.#answers.take(name, takes);
  }

  /** It asks nothing any more. */
  forgetAnswers(name: CallName): Operation<void> {
    return this.#answers.forget(name);
  }

  /** What keeps one that was claimed from here on; nothing for one of which nothing more comes, which then says so itself. */
  *hold(claim: Claim, { call, note }: KeptTask): Operation<HeldCall | undefined> {
    const held = new HeldCall(this.#store, claim, call.lineCount);
    const over = isOver(note)
      ? note
      : (yield* this.wasCancelled(claim.name))
        ? cancelled(note, CANCELLED)
        : undefined;
    if (!over) return held;
    yield* held.append({ notes: taskNoted(over), ended: true });
    yield* this.heard(claim.name);
    return undefined;
  }

  /** Cancels one: there, or by a letter to the process that has it. Durable when it ends. */
  *cancel(name: CallName): Operation<void> {
    // What a newer Parley keeps is not written to here.
    if (isNewerJournal((yield* this.read(name)).call.header)) return yield* this.#letters.send(name);
    const outcome = yield* this.claim(name);
    if (outcome.type === 'unknown') throw unknownTask();
    if (outcome.type === 'held') return yield* this.#letters.send(name);
    const self = this;
    yield* scoped(function* () {
      yield* ensure(() => self.release(outcome.claim));
      const kept = yield* self.read(name);
      if (isOver(kept.note)) return;
      const held = new HeldCall(self.#store, outcome.claim, kept.call.lineCount);
      yield* held.append({ notes: taskNoted(cancelled(kept.note, CANCELLED)), ended: true });
    });
  }
}
