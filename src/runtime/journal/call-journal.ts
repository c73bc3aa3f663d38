import type { Operation } from 'effection';
import { CallEndedError } from '../../core/errors/call-errors.ts';
import type { ErrorData } from '../../core/errors/data/error-data.ts';
import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import { isSameAs } from '../session/capabilities.ts';
import type { SessionHappening } from '../session/events.ts';
import type { Pausable } from '../session/open-ask.ts';
import type { Counted } from './effective.ts';
import { OpenEntry } from './entry.ts';
import type { JournalingCall, JournalStart } from './journaling-call.ts';
import type { Journal, JournalHeader, JournalLine, LineOf } from './lines.ts';
import { type JournalPlace, Places, seqOf } from './places.ts';
import { DONE, Recorder } from './recorder.ts';
import { LeftOut } from './replay/left-out.ts';
import type { Replay } from './replay/replay.ts';
import type { Doing, ToolLine } from './replay/replay-words.ts';
import type { Asked } from './said.ts';
import type { StepOpening, StepOutcome } from './step-gate.ts';

/** How a call ended. */
type EndHappening = Extract<SessionHappening, { type: 'result' | 'error' | 'aborted' }>;

/** Where an ask stands: a question may have been asked before, and be asked again. */
export type PlacedAsk = JournalPlace & {
  readonly attempt: number;
  readonly problem: string | undefined;
  /** What was answered when it was asked before, if that does not count any more. */
  readonly filled?: JsonObject | undefined;
};

/** The journal of one call: gives places, writes down what happens, and during a replay says what happened then. */
export class CallJournal {
  header: JournalHeader;
  readonly #call: JournalingCall;
  readonly #recorder: Recorder;
  readonly #places = new Places();
  /** How often each step that is under way has been begun. */
  #attempts: Map<string, number> | undefined;
  /** The calls of other servers' tools that were on their way. */
  #sent: ReadonlySet<string> | undefined;
  /** How questions that are asked again stand in the journal. */
  #refused: ReadonlyMap<string, LineOf<'refused'>> | undefined;
  /** Only where lines were left out. */
  #leftOut: LeftOut | undefined;
  #replay: Replay | undefined;
  #capabilities: ClientCapabilities | undefined;
  /** The run whose code this served has been let go: nothing that it still does counts. */
  #released = false;
  /** Called before anything more happens, while its call may go on elsewhere. */
  onMove: (() => void) | undefined;

  constructor(call: JournalingCall, { header, sink, lines = [] }: JournalStart) {
    this.header = header;
    this.#call = call;
    this.#recorder = new Recorder(call, sink, lines);
    if (lines.length > 0) this.#places.restore(lines);
    this.#capabilities = header.capabilities;
  }

  /** Whether the tool's code is being taken to where it was. */
  get replaying(): boolean {
    return this.#replay !== undefined;
  }

  /** Whether what the tool reports has been reported before. */
  get silent(): boolean {
    return this.#replay?.silent === true;
  }

  /** Whether it is kept anywhere but in memory. */
  get kept(): boolean {
    return this.#recorder.kept;
  }

  get forsaken(): boolean {
    return this.#recorder.forsaken;
  }

  /** The journal so far: a copy that stays as it is. */
  read(): Journal {
    return { header: this.header, lines: [...this.#recorder.lines()] };
  }

  /** As {@link Recorder.isIdle}. */
  get isIdle(): boolean {
    return this.#recorder.isIdle;
  }

  /** What is known of what has been recorded. */
  get recorded(): Pick<Recorder, 'given' | 'results' | 'rewinds'> {
    return this.#recorder;
  }

  /** As {@link Recorder.isAtWork}. */
  isAtWork(now: number): boolean {
    return this.#recorder.isAtWork(now);
  }

  /** Drops it: the call gave way, and nobody goes back in it. */
  forget(): void {
    const { params: _, parentMessages: __, ...header } = this.header;
    this.header = header;
    this.#recorder.forget();
  }

  /** Waits until everything so far is durable. */
  flushed(): Operation<void> {
    return this.#recorder.flushed();
  }

  /** Whether an id was given to something in this call. */
  knows(id: string): boolean {
    return this.#places.has(id);
  }

  // What the tool does.

  /** The place of an ask that opens. @throws `CallEndedError` where nothing opens any more */
  openAsk(asked: Asked, frame: Pausable): PlacedAsk {
    this.#noteCapabilities();
    const line = this.#match({ t: 'open', ...asked }, asked.kind);
    if (line?.t === 'open') {
      const { id, key: wireKey } = line;
      const { attempt = 1, problem } = this.#refused?.get(id) ?? {};
      return { id, wireKey, seq: seqOf(id), attempt, problem, filled: this.#leftOut?.of(id) };
    }
    const place = this.#places.next(asked.kind, asked.name);
    const { id, wireKey: key } = place;
    const filled = asked.kind === 'elicit' ? this.#leftOut?.take(id, asked) : undefined;
    this.#recorder.write(
      new OpenEntry({
        ...asked,
        id,
        key,
        ms: this.#call.elapsed(),
        branches: frame.spent?.(),
        within: frame.within,
      }),
    );
    return { ...place, attempt: 1, problem: undefined, filled };
  }

  openStep(
    { name, depth, reads, undo, call }: StepOpening,
    frame: Pausable,
  ): { id: string; written: Operation<void> } {
    const line = this.#match({ t: 'step', name, depth, call }, call ? 'call' : `the step '${name}'`);
    if (line?.t === 'step') return { id: line.id, written: DONE };
    const id = this.#places.nextId('step');
    const flags = { ...(reads ? { reads: true as const } : {}), ...(undo ? { undo: true as const } : {}) };
    const written = this.#write({
      ...{ t: 'step', id, name, depth, attempt: 1, ...flags },
      ...defined({ call }),
      ...this.#at(frame),
    });
    return { id, written };
  }

  /** Whether the tool called this one of another server next. */
  recalls(name: string): boolean {
    const line = this.#replay?.next();
    return line?.t === 'step' && line.call !== undefined && line.name === name;
  }

  /** Counts one more attempt of a step; ends when that is durable. */
  *attempt(id: string): Operation<number> {
    const attempt = (this.#attempts?.get(id) ?? 0) + 1;
    this.#attempts?.set(id, attempt);
    if (attempt > 1) yield* this.#sayAgain(id, { attempt });
    return attempt;
  }

  /** Whether a call of another server's tool was on its way when the process ended that made it. */
  wasSent(id: string): boolean {
    return this.#sent?.has(id) === true;
  }

  /** A call of another server's tool is on its way once this is durable. */
  sent(id: string): Operation<void> {
    return this.#sayAgain(id, { sent: true });
  }

  *#sayAgain(id: string, news: { attempt: number } | { sent: true }): Operation<void> {
    const first = this.#recorder.lines().find((line) => line.t === 'step' && line.id === id);
    if (first?.t === 'step') yield* this.#write({ ...first, ...news, ms: this.#call.elapsed() });
  }

  openTimer(due: number, depth: number, frame: Pausable): { id: string; due: number } {
    const line = this.#match({ t: 'timer', depth }, 'sleep');
    if (line?.t === 'timer') return { id: line.id, due: line.due };
    const id = this.#places.nextId('sleep');
    this.#write({ t: 'timer', id, depth, due, ...this.#at(frame) });
    return { id, due };
  }

  /** The tool's code let go of something that had no outcome. */
  withdrawn(id: string, frame?: Pausable): void {
    if (this.#isGone()) return;
    const line = this.#replay?.match({ t: 'withdraw', id });
    if (line === undefined) this.#write({ t: 'withdraw', id, ...this.#at(frame) });
  }

  // What comes in: each ends when it is durable, and is delivered then.

  answered(id: string, answer: JsonValue, deliver: () => void, dropped: () => void): Operation<void> {
    return this.#write({ t: 'answer', id, answer, ...this.#at() }, deliver, dropped);
  }

  failed(id: string, error: ErrorData, deliver: () => void, dropped: () => void): Operation<void> {
    return this.#write({ t: 'fail', id, error, ...this.#at() }, deliver, dropped);
  }

  refused(id: string, attempt: number, problem: string): Operation<void> {
    return this.#write({ t: 'refused', id, attempt, problem, ...this.#at() });
  }

  stepped(id: string, outcome: StepOutcome): Operation<void> {
    const { result } = outcome.ok ? outcome : {};
    return outcome.ok
      ? this.#write({ t: 'stepped', id, ...defined({ result }), ...this.#at() }, () => {})
      : this.#write({ t: 'step_failed', id, error: outcome.error, ...this.#at() }, () => {});
  }

  elapsed(id: string): Operation<void> {
    return this.#write({ t: 'elapsed', id, ...this.#at() }, () => {});
  }

  /** What `before` of a durable tool handed on when it ran, if it did. */
  earlierHandoff(): { readonly value: JsonValue | undefined } | undefined {
    const line = this.#replay?.before();
    return line && { value: structuredClone(line.value) };
  }

  keepHandoff(value: JsonValue | undefined): Operation<void> {
    return this.#write({ t: 'before', ...defined({ value }), ...this.#at() }, () => {});
  }

  ended({ type: how, ...facts }: EndHappening): void {
    this.#replay?.stop();
    this.#replay = undefined;
    this.#write({ t: 'end', how, ...facts, ...this.#at() });
  }

  // Capabilities, as the tool's code knows them.

  /** What the clients can do: during a replay, what they could. */
  capabilities(): ClientCapabilities | undefined {
    this.#noteCapabilities();
    return this.#replay ? this.#capabilities : this.#call.attached();
  }

  #noteCapabilities(): void {
    if (this.#replay || this.#isGone()) return;
    const now = this.#call.attached();
    if (isSameAs(now, this.#capabilities)) return;
    this.#capabilities = now;
    this.#write({ t: 'capabilities', ...(now ? { capabilities: now } : {}), ...this.#at() });
  }

  // Replay and rewind.

  /** From here on the tool's code is taken to where it was. */
  replayWith(replay: Replay, lines: readonly Counted[]): void {
    this.#released = false;
    this.#replay = replay;
    this.#capabilities = this.header.capabilities;
    this.#attempts = new Map(
      lines.flatMap(({ line }) => (line.t === 'step' ? [[line.id, line.attempt]] : [])),
    );
    this.#sent = new Set(lines.flatMap(({ line }) => (line.t === 'step' && line.sent ? [line.id] : [])));
    const all = this.#recorder.lines();
    this.#leftOut = all.some(({ t }) => t === 'rewind') ? new LeftOut(all) : undefined;
    this.#refused = new Map(lines.flatMap(({ line }) => (line.t === 'refused' ? [[line.id, line]] : [])));
  }

  /** The replay is over; with `keep`, the lines from there on do not count any more. */
  live(keep?: number): void {
    this.#replay = undefined;
    this.#recorder.follow();
    if (keep === undefined) return;
    const rewind: JournalLine = { t: 'rewind', keep, undo: [], ...this.#at() };
    const lines = this.#recorder.lines();
    this.#write(rewind);
    this.#leftOut = new LeftOut([...lines, rewind]);
  }

  /** What a question that is open is filled in with, once the journal is used up. */
  filledIn(id: string): JsonObject | undefined {
    return this.#leftOut?.of(id);
  }

  /** Capabilities changed then. */
  recall(capabilities: ClientCapabilities | undefined): void {
    this.#capabilities = capabilities;
  }

  /** Nothing that the tool's code does from here on counts. */
  release(): void {
    this.onMove = undefined;
    this.#released = true;
    this.#replay?.stop();
    this.#replay = undefined;
  }

  /** Says that the call goes back, before anything is taken back. */
  rewound(keep: number, to: string, undo: readonly string[]): Operation<void> {
    return this.#recorder.write({ t: 'rewind', keep, to, undo: [...undo], ...this.#at() }, () => {});
  }

  undone(id: string): Operation<void> {
    return this.#recorder.write({ t: 'undo', id, ...this.#at() }, () => {});
  }

  #match(doing: Doing, verb: string): ToolLine | undefined {
    if (this.#isGone()) throw new CallEndedError({ verb });
    const line = this.#replay?.match(doing);
    // It may have been the last that was wanted of this code.
    if (line === 'diverged' || this.#released) throw new CallEndedError({ verb });
    return line;
  }

  #write(line: JournalLine, deliver?: () => void, dropped?: () => void): Operation<void> {
    return this.#isGone() ? DONE : this.#recorder.write(line, deliver, dropped);
  }

  /** Whether nothing counts any more that happens here. */
  #isGone(): boolean {
    this.onMove?.();
    return this.#released;
  }

  #at(frame?: Pausable): { ms: number; branches?: number[] } {
    const branches = frame?.spent?.();
    return { ms: this.#call.elapsed(), ...(branches ? { branches: [...branches] } : {}) };
  }
}
