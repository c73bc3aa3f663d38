import { action, type Operation } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import type { ErrorData } from '../../core/errors/error-data.ts';
import { errorFromData } from '../../core/errors/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { AskGate } from '../../runtime/call/tool-side.ts';
import type { Answer } from '../../runtime/session/ask.ts';
import type { AskDraft, Settled, Verdict } from '../../runtime/session/open-ask.ts';
import type { Report } from '../wire/reports.ts';

/** What the asks of a served call need of it. */
export interface ServedCallLink {
  readonly call: number;
  readonly over: boolean;
  report(report: Report): void;
}

interface Waiting {
  readonly draft: AskDraft;
  resolve(settled: Settled): void;
  reject(error: Error): void;
  /** What the last answer that fitted was parsed to. */
  kept: Extract<Verdict, { ok: true }> | undefined;
  resume: (() => void) | undefined;
}

/** The open asks of a call whose session is in another realm: opened here, answered there, checked here. */
export class ServedAsks implements AskGate {
  readonly #link: ServedCallLink;
  readonly #waiting = new Map<number, Waiting>();
  #count = 0;

  constructor(link: ServedCallLink) {
    this.#link = link;
  }

  *ask(draft: AskDraft): Operation<Settled> {
    const { subject, key, depth } = draft;
    if (this.#link.over) throw new CallEndedError(subject.kind);
    const ask = ++this.#count;
    try {
      return yield* action<Settled>((resolve, reject) => {
        this.#waiting.set(ask, { draft, resolve, reject, kept: undefined, resume: undefined });
        this.#link.report({
          type: 'open',
          call: this.#link.call,
          ask,
          depth,
          ...defined({ key }),
          // JSON was made of it before it came here.
          subject: subject as never,
        });
        return () => {};
      }, `answer to ask ${ask}`);
    } finally {
      if (this.#take(ask)) this.#link.report({ type: 'withdraw', call: this.#link.call, ask });
    }
  }

  pendingKey(): string | undefined {
    for (const { draft } of this.#waiting.values()) {
      if (draft.subject.kind === 'elicit') return draft.key ?? 'elicit';
    }
    return undefined;
  }

  /** What a handler of an open question works with. */
  realm(ask: number): AskDraft['realm'] {
    return this.#waiting.get(ask)?.draft.realm;
  }

  /** Checks an answer with the original schema, and keeps what it was parsed to. */
  check(ask: number, check: number, content: JsonValue): void {
    const verdict = this.#verdict(ask, content);
    const tell = (verdict: Verdict) => {
      const waiting = this.#waiting.get(ask);
      if (waiting && verdict.ok) waiting.kept = verdict;
      const { call } = this.#link;
      const problem = verdict.ok ? {} : { problem: verdict.problem };
      this.#link.report({ type: 'verdict', call, ask, check, ...problem });
    };
    if (verdict instanceof Promise) verdict.then(tell, (error) => tell(unchecked(error)));
    else tell(verdict);
  }

  /** The ask was answered. */
  settle(ask: number, id: string, answer: JsonValue): void {
    const waiting = this.#take(ask);
    if (!waiting) return;
    try {
      // Only the content of an accepted question has been checked before; its shape is known to be right.
      const verdict = waiting.kept ?? waiting.draft.check(id, answer as unknown as Answer);
      if (verdict instanceof Promise || !verdict.ok) throw new Error(`the answer to '${id}' was not checked`);
      waiting.resolve({ id, value: verdict.value });
    } catch (error) {
      waiting.reject(toError(error));
    }
  }

  fail(ask: number, error: ErrorData): void {
    this.#take(ask)?.reject(errorFromData(error));
  }

  pause(ask: number, paused: boolean): void {
    const waiting = this.#waiting.get(ask);
    if (!waiting) return;
    waiting.resume?.();
    waiting.resume = paused ? waiting.draft.frame.pause() : undefined;
  }

  #verdict(ask: number, content: JsonValue): Verdict | Promise<Verdict> {
    const waiting = this.#waiting.get(ask);
    if (!waiting) return { ok: false, problem: 'the question is closed' };
    waiting.kept = undefined;
    try {
      return waiting.draft.check(`ask ${ask}`, { action: 'accept', content });
    } catch (error) {
      return unchecked(error);
    }
  }

  #take(ask: number): Waiting | undefined {
    const waiting = this.#waiting.get(ask);
    this.#waiting.delete(ask);
    waiting?.resume?.();
    return waiting;
  }
}

function unchecked(error: unknown): Verdict {
  return { ok: false, problem: `it could not be checked (${toError(error).message})` };
}
