import { Err, Ok, type Operation } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { AnswerStaleError, AskClosedError, AskNotFoundError } from '../../core/errors/session-errors.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Answer, Ask, AskKind } from './ask.ts';
import type { SessionHappening } from './events.ts';
import { type AskDraft, type AskSubject, OpenAsk, type Settled, type Verdict } from './open-ask.ts';
import type { ElicitRealm } from './session.ts';

/** What the asks of a session need of it. */
export interface AskingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly tool: AnyTool;
  /** Whether the call has ended: nothing new opens then. */
  readonly over: boolean;
  /** Whether nobody is attached: open asks then stop the clocks. */
  readonly parked: boolean;
  emit(happening: SessionHappening): void;
  /** The number of open asks, or what they are, has changed. */
  changed(): void;
}

/** The open asks of a session, and the only place where they open, are answered and close. */
export class Asks {
  readonly #call: AskingCall;
  readonly #open = new Map<string, OpenAsk>();
  readonly #counts: Record<AskKind, number> = { elicit: 0, sample: 0, roots: 0 };
  #names: Map<string, number> | undefined;
  /** Open asks by kind. */
  readonly pending: Record<AskKind, number> = { elicit: 0, sample: 0, roots: 0 };

  constructor(call: AskingCall) {
    this.#call = call;
  }

  list(): readonly Ask[] {
    return Array.from(this.#open.values(), ({ ask }) => ask);
  }

  find(id: string): OpenAsk | undefined {
    return this.#open.get(id);
  }

  /** Whether it is open and no answer is being checked. */
  awaitsAnswer(id: string): boolean {
    return this.#open.get(id)?.checking === false;
  }

  /** The key of the one open elicitation. */
  pendingKey(): string | undefined {
    if (this.pending.elicit === 0) return undefined;
    for (const { ask } of this.#open.values()) if (ask.kind === 'elicit') return ask.ref.key;
    return undefined;
  }

  realm(id: string): ElicitRealm | undefined {
    return this.#open.get(id)?.realm;
  }

  /** The place of the next ask of this kind: its number, its id, and its key on the 2026-07-28 wire. */
  #place(kind: AskKind, key: string | undefined): { seq: number; id: string; wireKey: string } {
    const seq = ++this.#counts[kind];
    // One count for each name, so that a key called like a kind never makes the same wire key twice.
    const name = key ?? kind;
    this.#names ??= new Map();
    const nth = (this.#names.get(name) ?? 0) + 1;
    this.#names.set(name, nth);
    return { seq, id: `${kind}-${seq}`, wireKey: key !== undefined && nth === 1 ? key : `${name}#${nth}` };
  }

  /** Opens an ask and waits for what comes of it. Halting it withdraws it at once. */
  *ask(draft: AskDraft): Operation<Settled> {
    const open = this.open(draft);
    try {
      return { id: open.ask.id, value: yield* open.wait() };
    } finally {
      this.withdraw(open);
    }
  }

  /** Opens an ask, for who waits in another way. @throws `CallEndedError` */
  open(draft: AskDraft): OpenAsk {
    const { kind } = draft.subject;
    if (this.#call.over) throw new CallEndedError(kind);
    const { callId, tool } = this.#call;
    const toolName = draft.path?.at(-1) ?? this.#call.toolName;
    const { seq, id, wireKey } = this.#place(kind, draft.key);
    const ref = { toolName, key: draft.key ?? kind, callId, seq };
    const subject: AskSubject =
      draft.subject.kind === 'elicit' && tool.def.requires.editor
        ? { ...draft.subject, inEditor: true }
        : draft.subject;
    const place = { id, wireKey, depth: draft.depth, ...(draft.path ? { path: draft.path } : {}) };
    const open = new OpenAsk({ ...subject, ...place, ref, attempt: 1 }, draft);
    this.#open.set(id, open);
    this.pending[kind] += 1;
    if (kind === 'elicit') open.pause();
    if (this.#call.parked) open.parkedPause = open.pause();
    this.#call.changed();
    this.#announce(open);
    return open;
  }

  /** Closes an ask that nobody waits for any more; nothing, when it has closed. */
  withdraw(open: OpenAsk): void {
    this.#close(open, { how: 'withdrawn' });
  }

  /** Answers an ask; an invalid answer to an elicitation asks again. */
  respond(id: string, answer: Answer, attempt?: number): void {
    const open = this.#require(id);
    if (open.checking || (attempt !== undefined && attempt !== open.ask.attempt)) {
      throw new AnswerStaleError(id, attempt ?? open.ask.attempt, open.ask.attempt);
    }
    const verdict = open.check(answer);
    if (!(verdict instanceof Promise)) {
      this.#conclude(open, verdict);
      return;
    }
    open.checking = true;
    verdict.then(
      (late) => {
        open.checking = false;
        this.#conclude(open, late);
      },
      (error: unknown) => this.#fail(open, error),
    );
  }

  /** Ends an ask with an error that is thrown at its `yield*`. */
  fail(id: string, error: unknown): void {
    this.#fail(this.#require(id), error);
  }

  /** Ends all asks when the call ends; nothing is thrown at them, for the call is halted next. */
  withdrawAll(): void {
    for (const open of [...this.#open.values()]) this.#close(open, { how: 'withdrawn' });
  }

  /** Nobody is attached any more, or somebody is again. */
  parkedChanged(): void {
    for (const open of this.#open.values()) {
      open.parkedPause?.();
      open.parkedPause = this.#call.parked ? open.pause() : undefined;
    }
  }

  #require(id: string): OpenAsk {
    const open = this.#open.get(id);
    if (open) return open;
    const [, kind, seq] = /^(elicit|sample|roots)-([1-9]\d*)$/.exec(id) ?? [];
    const known = kind !== undefined && Number(seq) <= this.#counts[kind as AskKind];
    throw known ? new AskClosedError(id) : new AskNotFoundError(id, this.#call.callId);
  }

  #conclude(open: OpenAsk, verdict: Verdict): void {
    if (!verdict.ok) {
      this.#askAgain(open, verdict.problem);
    } else if (this.#close(open, { how: 'answered', answer: verdict.answer })) {
      open.settle(Ok(verdict.value));
    }
  }

  #fail(open: OpenAsk, thrown: unknown): void {
    const error = toError(thrown);
    if (this.#close(open, { how: 'failed', error: errorData(error) })) open.settle(Err(error));
  }

  // Through the event loop: somebody who gives the same wrong answer for ever must not starve everybody else.
  #askAgain(open: OpenAsk, problem: string): void {
    if (!this.#open.has(open.ask.id)) return;
    open.ask = { ...open.ask, attempt: open.ask.attempt + 1, problem };
    open.cancelReask?.();
    const turn = setImmediate(() => {
      open.cancelReask = undefined;
      this.#announce(open);
    });
    open.cancelReask = () => clearImmediate(turn);
  }

  #announce({ ask }: OpenAsk): void {
    if (ask.kind === 'elicit') this.#call.emit({ type: 'elicit_request', ask });
    else if (ask.kind === 'sample') this.#call.emit({ type: 'sample_request', ask });
    else this.#call.emit({ type: 'roots_request', ask });
  }

  #close(open: OpenAsk, closing: Closing): boolean {
    if (!open.close()) return false;
    const { id, kind } = open.ask;
    this.#open.delete(id);
    this.pending[kind] -= 1;
    this.#call.emit({ type: 'ask_closed', id, ...closing });
    this.#call.changed();
    return true;
  }
}

type Closing = Omit<Extract<SessionHappening, { type: 'ask_closed' }>, 'type' | 'id'>;
