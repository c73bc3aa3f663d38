import { Err, Ok, type Operation, until, withResolvers } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { AnswerStaleError, AskClosedError, AskNotFoundError } from '../../core/errors/session-errors.ts';
import { fillInAgain } from '../../core/form/fill-in.ts';
import type { JsonObject } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { LineOf } from '../journal/lines.ts';
import { DONE } from '../journal/recorder.ts';
import { saidByAsk } from '../journal/said.ts';
import type { CallPolicy } from '../policy/call-policy.ts';
import { nextTurn } from '../time/event-loop.ts';
import { type Answer, type Ask, type AskKind, answerOf } from './ask.ts';
import type { AskSubject } from './ask-subject.ts';
import type { SessionHappening } from './events.ts';
import { type AnswerVerdict, type AskDraft, OpenAsk, type SettledAsk } from './open-ask.ts';
import type { ElicitRealm } from './session.ts';

/** What the asks of a session need of it. */
export interface AskingCall {
  readonly callId: string;
  readonly toolName: string;
  readonly tool: AnyTool;
  /** Whether the call has ended: nothing new opens then. */
  readonly over: boolean;
  /** Whether nobody is attached: open asks then stop the clocks. */
  readonly unattended: boolean;
  readonly history: CallJournal;
  /** The rules of whoever runs it. */
  readonly policy: CallPolicy | undefined;
  emit(happening: SessionHappening): void;
  /** The number of open asks, or what they are, has changed. */
  changed(): void;
}

const NONE: readonly Ask[] = Object.freeze([]);

/** The open asks of a session, and the only place where they open, are answered and close. */
export class Asks {
  readonly #call: AskingCall;
  readonly #together: boolean;
  readonly #open = new Map<string, OpenAsk>();
  /** Who waits for a question to close, first come first. */
  #queue: Set<() => void> | undefined;
  /** Open asks by kind. */
  readonly pending: Record<AskKind, number> = { elicit: 0, sample: 0, roots: 0 };

  /** @param together whether questions of tools that were called at once are open at once */
  constructor(call: AskingCall, together: boolean) {
    this.#call = call;
    this.#together = together;
  }

  /** While a call is taken to where it was, nobody is shown what it asks: it has been answered, mostly. */
  get #hidden(): boolean {
    return this.#call.history.replaying;
  }

  list(): readonly Ask[] {
    if (this.#open.size === 0 || this.#hidden) return NONE;
    return Array.from(this.#open.values(), ({ ask }) => ask);
  }

  find(id: string): OpenAsk | undefined {
    return this.#open.get(id);
  }

  /** Whether it is open and no answer is being checked. */
  awaitsAnswer(id: string): boolean {
    return !this.#hidden && this.#open.get(id)?.checking === false;
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

  /** Opens an ask and waits for what comes of it. Halting it withdraws it at once. */
  *ask(draft: AskDraft): Operation<SettledAsk> {
    if (!this.#together && draft.path && draft.subject.kind === 'elicit') yield* this.#turn(draft);
    const open = this.open(yield* this.#ruled(draft));
    try {
      return { id: open.ask.id, value: yield* open.wait() };
    } finally {
      this.withdraw(open);
    }
  }

  /** As a rule of whoever runs it has it: it may want a person to answer what the tool's author leaves to anybody. */
  *#ruled(draft: AskDraft): Operation<AskDraft> {
    const { subject, path, tool = path ? { name: path.at(-1) ?? '' } : this.#call.tool } = draft;
    if (subject.kind !== 'elicit' || subject.request.mode === 'url' || !this.#call.policy?.forPerson)
      return draft;
    const isForPerson = yield* this.#call.policy.forPerson(tool);
    return isForPerson
      ? { ...draft, subject: { ...subject, person: true }, said: draft.said ?? saidByAsk(subject) }
      : draft;
  }

  /** A person answers one question at a time: unless somebody takes several, those of tools that were called at once take turns. */
  *#turn({ frame }: AskDraft): Operation<void> {
    if (this.pending.elicit === 0) return;
    const resume = frame.pause();
    try {
      while (this.pending.elicit > 0) {
        // In the queue from this line on: between a look and the first effect others may run.
        const closed = withResolvers<void>();
        this.#queue ??= new Set();
        this.#queue.add(closed.resolve);
        try {
          yield* closed.operation;
        } finally {
          this.#queue.delete(closed.resolve);
        }
      }
    } finally {
      resume();
    }
  }

  /** Opens an ask, for who waits in another way. @throws `CallEndedError` */
  open(draft: AskDraft): OpenAsk {
    const { kind } = draft.subject;
    if (this.#call.over) throw new CallEndedError({ verb: kind });
    const { callId, tool, history } = this.#call;
    const toolName = draft.path?.at(-1) ?? this.#call.toolName;
    const said = draft.said ?? saidByAsk(draft.subject);
    const asked = { kind, name: draft.key, depth: draft.depth, said };
    const { seq, id, wireKey, attempt, problem, filled } = history.openAsk(asked, draft.frame);
    const ref = { toolName, key: draft.key ?? kind, callId, seq };
    const subject: AskSubject =
      draft.subject.kind === 'elicit' && tool.def.requires.editor
        ? { ...draft.subject, inEditor: true }
        : draft.subject;
    const place = { id, wireKey, depth: draft.depth, ...(draft.path ? { path: draft.path } : {}) };
    const ask = { ...subject, ...place, ref, attempt, ...defined({ problem }) };
    const open = new OpenAsk(filledIn(ask, filled), draft, asked);
    this.#open.set(id, open);
    this.pending[kind] += 1;
    if (kind === 'elicit') open.pause();
    if (this.#call.unattended) open.unattendedPause = open.pause();
    this.#call.changed();
    this.#announce(open);
    return open;
  }

  /** Closes an ask that nobody waits for any more; nothing, when it has closed. */
  withdraw(open: OpenAsk): void {
    if (this.#close(open, { how: 'withdrawn' })) this.#call.history.withdrawn(open.ask.id, open.frame);
  }

  /** Answers an ask; an invalid answer to an elicitation asks again. Ends when the answer is durable. */
  respond(id: string, answer: Answer, attempt?: number): Operation<void> {
    const open = this.#require(id);
    if (open.checking || (attempt !== undefined && attempt !== open.ask.attempt)) {
      throw new AnswerStaleError({
        askId: id,
        attempt: attempt ?? open.ask.attempt,
        current: open.ask.attempt,
      });
    }
    const verdict = open.check(isNobodys(open.ask, answer) ? NOBODYS : answer);
    if (!(verdict instanceof Promise)) return this.#conclude(open, verdict);
    open.checking = true;
    const concluded = verdict.then(
      (late) => this.#conclude(open, late),
      (error: unknown) => this.#fail(open, error),
    );
    return {
      *[Symbol.iterator]() {
        yield* yield* until(concluded);
      },
    };
  }

  /** Ends an ask with an error that is thrown at its `yield*`. Ends when that is durable. */
  fail(id: string, error: unknown): Operation<void> {
    return this.#fail(this.#require(id), error);
  }

  /** Gives an ask what its journal says came of it. @throws where that does not fit any more */
  give(line: LineOf<'answer' | 'fail'>): void | Promise<void> {
    const open = this.#open.get(line.id);
    if (!open) return;
    if (line.t === 'fail') {
      const { error } = line;
      if (this.#close(open, { how: 'failed', error })) open.settle(Err(errorFromData(error)));
      return;
    }
    const given = (verdict: AnswerVerdict) => {
      if (!verdict.ok) throw new Error(`refuses it: its schema says “${verdict.problem}”`);
      this.#answered(open, verdict);
    };
    const verdict = open.check(answerOf(line.answer));
    return verdict instanceof Promise ? verdict.then(given) : given(verdict);
  }

  /** The journal is used up: what is still open is shown, in the order in which it opened. */
  reveal(): void {
    for (const open of [...this.#open.values()]) {
      open.ask = filledIn(open.ask, this.#call.history.filledIn(open.ask.id));
      this.#announce(open);
    }
    this.#call.changed();
  }

  /** Ends all asks when the call ends; nothing is thrown at them, for the call is halted next. */
  withdrawAll(): void {
    for (const open of [...this.#open.values()]) this.#close(open, { how: 'withdrawn' });
  }

  /** Nobody is attached any more, or somebody is again. */
  attendanceChanged(): void {
    for (const open of this.#open.values()) {
      open.unattendedPause?.();
      open.unattendedPause = this.#call.unattended ? open.pause() : undefined;
    }
  }

  #require(id: string): OpenAsk {
    const open = this.#open.get(id);
    if (open && !this.#hidden) return open;
    const known = this.#call.history.knows(id);
    throw known
      ? new AskClosedError({ askId: id })
      : new AskNotFoundError({ askId: id, callId: this.#call.callId });
  }

  #conclude(open: OpenAsk, verdict: AnswerVerdict): Operation<void> {
    const { id } = open.ask;
    open.checking = false;
    if (!this.#open.has(id)) return DONE;
    if (!verdict.ok) {
      this.#askAgain(open, verdict.problem);
      return this.#call.history.refused(id, open.ask.attempt, verdict.problem);
    }
    const deliver = () => this.#answered(open, verdict);
    return this.#write(open, (dropped) => this.#call.history.answered(id, verdict.answer, deliver, dropped));
  }

  #fail(open: OpenAsk, thrown: unknown): Operation<void> {
    const { id } = open.ask;
    if (!this.#open.has(id)) return DONE;
    const error = toError(thrown);
    const data = errorData(error);
    const deliver = () => {
      // What a durable tool gets now is what it would get from its journal.
      const seen = this.#call.tool.def.durable ? errorFromData(data) : error;
      if (this.#close(open, { how: 'failed', error: data })) open.settle(Err(seen));
    };
    return this.#write(open, (dropped) => this.#call.history.failed(id, data, deliver, dropped));
  }

  /** While what came of it is being written, an ask takes nothing else; what could not be written has not happened. */
  #write(open: OpenAsk, write: (dropped: () => void) => Operation<void>): Operation<void> {
    open.checking = true;
    return write(() => {
      open.checking = false;
      if (this.#open.has(open.ask.id)) this.#announce(open);
    });
  }

  #answered(open: OpenAsk, verdict: Extract<AnswerVerdict, { ok: true }>): void {
    if (this.#close(open, { how: 'answered', answer: verdict.answer })) open.settle(Ok(verdict.value));
  }

  // Through the event loop: somebody who gives the same wrong answer for ever must not starve everybody else.
  #askAgain(open: OpenAsk, problem: string): void {
    if (!this.#open.has(open.ask.id)) return;
    open.ask = { ...open.ask, attempt: open.ask.attempt + 1, problem };
    open.cancelReask?.();
    open.cancelReask = nextTurn(() => {
      open.cancelReask = undefined;
      this.#announce(open);
    });
  }

  #announce({ ask }: OpenAsk): void {
    if (this.#hidden) return;
    if (ask.kind === 'elicit') this.#call.emit({ type: 'elicit_request', ask });
    else if (ask.kind === 'sample') this.#call.emit({ type: 'sample_request', ask });
    else this.#call.emit({ type: 'roots_request', ask });
  }

  #close(open: OpenAsk, closing: Closing): boolean {
    if (!open.close()) return false;
    const { id, kind } = open.ask;
    this.#open.delete(id);
    this.pending[kind] -= 1;
    if (!this.#hidden) this.#call.emit({ type: 'ask_closed', id, ...closing });
    this.#call.changed();
    if (this.#queue) for (const next of [...this.#queue]) next();
    return true;
  }
}

/** What comes of an answer of a client's own, where only a person may give one. */
const NOBODYS = { action: 'cancel', answeredBy: 'client' } as const;

function isNobodys(ask: Ask, answer: Answer): boolean {
  const said: unknown = answer;
  if (ask.kind !== 'elicit' || !ask.person || !isObject(said)) return false;
  return said.answeredBy === 'client' && said.action !== 'decline';
}

type Closing = Omit<Extract<SessionHappening, { type: 'ask_closed' }>, 'type' | 'id'>;

/** A question whose form begins with what was answered to it before, for every client that shows one. */
function filledIn(ask: Ask, content: JsonObject | undefined): Ask {
  if (!content || ask.kind !== 'elicit' || ask.request.mode === 'url') return ask;
  const requestedSchema = fillInAgain(ask.request.requestedSchema, content);
  return { ...ask, request: { ...ask.request, requestedSchema } };
}
