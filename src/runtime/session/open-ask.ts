import { action, type Operation, type Result } from 'effection';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { type Asked, fingerprint, type Said } from '../journal/said.ts';
import type { Answer, Ask } from './ask.ts';
import type { AskSubject } from './ask-subject.ts';
import type { ElicitRealm } from './session.ts';

/** What came of checking an answer: what the tool gets and what the record shows, or what is wrong with it. */
export type AnswerVerdict =
  | { readonly ok: true; readonly value: unknown; readonly answer: JsonValue }
  | { readonly ok: false; readonly problem: string };

/** What has clocks that can stand still. */
export interface Pausable {
  /** Stops them; restarts them with what it returns. */
  pause(): () => void;
  /** The call of another server's tool that it is a part of, by its id in the journal. */
  readonly within?: string | undefined;
  /** Machine time of the limited branches from the outermost to this level, in milliseconds; nothing where none is limited. */
  spent?(): readonly number[] | undefined;
  /** Sets what {@link spent} gave: a replay goes by the time that passed then. */
  setSpent?(spent: readonly number[]): void;
}

/** What a tool opens an ask with; its place among the asks of the session comes when it opens. */
export interface AskDraft {
  readonly subject: AskSubject;
  /** The author's name for it. */
  readonly key: string | undefined;
  readonly depth: number;
  /** The tools between the call and the one that asks. */
  readonly path?: readonly string[];
  /** The one that asks, where the call's own has called it; not of one in another realm. */
  readonly tool?: AnyTool;
  /** Whose clocks stand still while it is paused. */
  readonly frame: Pausable;
  /** Checks an answer; a promise only where a schema is asynchronous. @throws `AnswerInvalidError` for one of the wrong shape. */
  check(id: string, answer: Answer): AnswerVerdict | Promise<AnswerVerdict>;
  readonly realm?: ElicitRealm;
  /** What the author's code said; what the request shows of it, by default. */
  readonly said?: Said;
}

/** An ask that was answered: its id, and the answer as the tool gets it. */
export interface SettledAsk {
  readonly id: string;
  readonly value: unknown;
}

/** An ask while it is open. */
export class OpenAsk {
  ask: Ask;
  readonly frame: Pausable;
  readonly realm: ElicitRealm | undefined;
  readonly check: (answer: Answer) => AnswerVerdict | Promise<AnswerVerdict>;
  /** Who runs it; elicitations have no claimant. */
  claimant: object | undefined;
  /** An answer is being checked by an asynchronous schema. */
  checking = false;
  /** Stops the re-ask that waits for its turn of the event loop. */
  cancelReask: (() => void) | undefined;
  unattendedPause: (() => void) | undefined;

  readonly #asked: Asked;
  #pauses = 0;
  #resumeClocks: (() => void) | undefined;
  #outcome: Result<unknown> | undefined;
  #settle: ((outcome: Result<unknown>) => void) | undefined;
  #closed = false;

  constructor(ask: Ask, draft: AskDraft, asked: Asked) {
    this.ask = ask;
    this.#asked = asked;
    this.frame = draft.frame;
    this.check = (answer) => draft.check(ask.id, answer);
    this.realm = draft.realm;
  }

  /** Its fingerprint, as its journal has it. */
  get print(): string {
    return fingerprint(this.#asked);
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
