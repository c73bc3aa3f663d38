import { action, type Operation, type Result } from 'effection';
import type { JsonValue } from '../core/json.ts';
import type { Answer, Ask } from './ask.ts';
import type { Frame } from './frame.ts';
import type { ElicitRealm } from './session.ts';

/** What came of checking an answer: what the tool gets and what the record shows, or what is wrong with it. */
export type Verdict =
  | { readonly ok: true; readonly value: unknown; readonly answer: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** What a tool opens an ask with. */
export interface AskDraft {
  readonly ask: Ask;
  readonly frame: Frame;
  /** Checks an answer; a promise only where a schema is asynchronous. @throws `AnswerInvalidError` for one of the wrong shape. */
  check(answer: Answer): Verdict | Promise<Verdict>;
  readonly realm?: ElicitRealm;
}

/** An ask while it is open. */
export class OpenAsk {
  ask: Ask;
  readonly frame: Frame;
  readonly realm: ElicitRealm | undefined;
  readonly check: AskDraft['check'];
  /** Who runs it; elicitations have no claimant. */
  claimant: object | undefined;
  /** An answer is being checked by an asynchronous schema. */
  checking = false;
  /** Stops the re-ask that waits for its turn of the event loop. */
  cancelReask: (() => void) | undefined;
  parkedPause: (() => void) | undefined;

  #pauses = 0;
  #resumeClocks: (() => void) | undefined;
  #outcome: Result<unknown> | undefined;
  #settle: ((outcome: Result<unknown>) => void) | undefined;
  #closed = false;

  constructor(draft: AskDraft) {
    this.ask = draft.ask;
    this.frame = draft.frame;
    this.check = draft.check;
    this.realm = draft.realm;
  }

  /** Waits for what comes of it. */
  wait(): Operation<unknown> {
    return action<unknown>((resolve, reject) => {
      const settle = (outcome: Result<unknown>) => {
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      if (this.#outcome) settle(this.#outcome);
      else this.#settle = settle;
      return () => {
        this.#settle = undefined;
      };
    }, `answer to ${this.ask.id}`);
  }

  /** Hands the outcome to the tool. */
  settle(outcome: Result<unknown>): void {
    this.#outcome = outcome;
    this.#settle?.(outcome);
  }

  /** Stops the clocks of the ask's ancestors; pauses nest. Returns what ends this one. */
  pause(): () => void {
    if (this.#closed) return () => {};
    if (this.#pauses++ === 0) this.#resumeClocks = this.frame.pause();
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      if (--this.#pauses === 0) this.#resume();
    };
  }

  /** Ends all pauses and pending work. True the first time. */
  close(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.cancelReask?.();
    this.#resume();
    return true;
  }

  #resume(): void {
    this.#resumeClocks?.();
    this.#resumeClocks = undefined;
  }
}
