import type { Operation } from 'effection';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { Schema } from '../../core/schema/schema.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { Journal } from '../journal/lines.ts';
import type { Answer, Ask, ElicitAsk } from './ask.ts';
import type { EndEvent, SessionEvent, SessionHappening } from './events.ts';

/** Where a call stands. The last three are final. */
export type SessionStatus =
  | 'running'
  | 'awaiting_elicit'
  | 'awaiting_sample'
  | 'completed'
  | 'failed'
  | 'aborted';

/** What a session knows of those attached to it. */
export interface Answerer {
  capabilities(): ClientCapabilities;
  /** Whether it can answer this very ask (form, sampling, sampling with tools, roots). */
  can(ask: Ask): boolean;
}

/** A driver's hold on a session: capabilities count while it lasts; it ends with the scope that attached. */
export interface Attached {
  /** Claims an ask so that no other driver runs it; false when another holds it. Elicitations are never claimed. */
  claim(askId: string): boolean;
  release(askId: string): void;
  /** Calls back when another driver has released an ask, so that this one may claim it. One listener; the last counts. */
  onFreed(listener: () => void): void;
  /** Ends the hold; what it claimed is free again. */
  detach(): void;
}

/** What only the realm that loaded the tool can know of an elicitation: never serialised. */
export interface ElicitRealm {
  readonly plugin: AnyPlugin | undefined;
  readonly params: unknown;
  readonly handoff: unknown;
  /** The original schema of the answer. */
  readonly schema: Schema;
  /** The parsed context, as the handler reads it. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The call that asks: its log is where a handler's author is told of a mistake. */
  readonly call: { readonly over: boolean; emit(happening: SessionHappening): void };
}

/** What `rewind` takes beside the question. */
export interface RewindOptions {
  /** Also in a tool that does not say `.durable()`: a person was told that what it does outside of steps is done again. */
  readonly anyway?: boolean;
}

/** A running call seen from outside. Everything that drives a tool drives one of these. */
export interface Session {
  readonly id: string;
  /** The same: a session has the id of its call. */
  readonly callId: string;
  /** Whose call it is; '' where nobody said so. */
  readonly principal: string;
  /** The conversation that it comes from; '' where nobody said so. */
  readonly conversation: string;
  readonly toolName: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  /** Absent once it has given way to newer calls. */
  readonly params: unknown;
  /** Milliseconds of the session's clock. */
  readonly startedAt: number;
  status(): SessionStatus;
  openAsks(): readonly Ask[];
  /** Whether an ask waits for an answer: it is open, and no answer is being checked by an asynchronous schema. */
  awaitsAnswer(askId: string): boolean;
  /** Waits until all has happened that follows from what was given so far, wherever its code runs: what it asks is open then. */
  settled(): Operation<void>;
  /** The end, once there is one. */
  ended(): EndEvent | undefined;
  /** Everything still kept after the cursor (0 for all), oldest first. Never waits. */
  events(after?: number): readonly SessionEvent[];
  /** The first event after the cursor, which is the `at` of the one before and 0 at first; waits for it. After the end, the end again. */
  nextEvent(after: number): Operation<SessionEvent>;
  /** Calls back on every new event, synchronously and in order; for surfaces that draw. Returns what stops it. */
  subscribe(listener: (event: SessionEvent) => void): () => void;
  /** A resource: the client's capabilities count for this session until the scope ends. */
  attach(client: Answerer): Operation<Attached>;
  /** Like `attach`, for those who end the hold themselves: every path must come to `detach`. */
  attachNow(client: Answerer): Attached;
  /** What the attached clients can do together; `undefined` while nobody has said so. */
  capabilities(): ClientCapabilities | undefined;
  /** Whether a client that is attached can answer the ask. */
  canAnswer(ask: Ask): boolean;
  /** Milliseconds of machine time so far: time with a person left out. */
  elapsed(): number;
  /**
   * Answers an ask: at once, whether or not somebody waits for the operation, which ends when the answer is durable. In a
   * call that is kept in memory alone it is over already. An elicitation's answer that does not fit its schema asks again.
   *
   * @throws `AskNotFoundError`, `AskClosedError`, `AnswerStaleError` when `attempt` is not the current one,
   *   `AnswerInvalidError` for what is no answer at all (the ask stays open). The operation throws `JournalWriteError`
   *   when the answer could not be saved; the ask stays open then.
   */
  respond(askId: string, answer: Answer, attempt?: number): Operation<void>;
  /** Ends an ask with an error that is thrown at its `yield*`; the operation ends when that is durable. */
  fail(askId: string, error: unknown): Operation<void>;
  respondToElicit(askId: string, answer: ElicitAnswer<unknown>): Operation<void>;
  /** The fingerprint of an open ask, as the journal has it: asks that say the same have the same. */
  printOf(askId: string): string | undefined;
  /** The call as a value so far: what came into it, in order. Nothing in it is masked. */
  journal(): Journal;
  /** How often it has gone back to an earlier question. */
  rewinds(): number;
  /** Whether a step of it runs, or is about to, or a durable sleep is over: it must not be released. @param now milliseconds since the epoch */
  isAtWork(now: number): boolean;
  /**
   * Goes back to a question that was answered: what came after it does not count any more, its steps are taken back, and
   * the question is asked again. Ends when it is. A second one waits for the first.
   *
   * @throws `RewindRefusedError`, naming the step that cannot be taken back; `UndoFailedError`, and the call has failed;
   *   `CallEndedError`
   */
  rewind(askId: string, options?: RewindOptions): Operation<void>;
  /** Stops or restarts the ask's clocks; calls nest. */
  pauseClock(askId: string): () => void;
  /** What a handler in this realm needs. */
  realm(ask: ElicitAsk): ElicitRealm | undefined;
  /** Ends the call: the status is `aborted` at once and sticks; the tool's cleanup runs. Resolves when it is down. */
  abort(reason?: string): Operation<void>;
}
