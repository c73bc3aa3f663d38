import { type Operation, type Result, resource, type Scope } from 'effection';
import { type CapabilityName, McpCapabilityError, McpTimeoutError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { AskNotFoundError } from '../../core/errors/session-errors.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolRequirements } from '../../core/tool/tool.ts';
import { CallJournal, type JournalingCall } from '../journal/call-journal.ts';
import type { Journal } from '../journal/lines.ts';
import { Steps } from '../journal/steps.ts';
import type { Answer, Ask, ElicitAsk } from '../session/ask.ts';
import { Asks } from '../session/asks.ts';
import { missingCapability } from '../session/capabilities.ts';
import { EventLog, type LoggedCall } from '../session/event-log.ts';
import type { EndEvent, SessionEvent, SessionHappening } from '../session/events.ts';
import { Leases } from '../session/leases.ts';
import type {
  Answerer,
  ElicitRealm,
  Lease,
  RewindOptions,
  Session,
  SessionStatus,
} from '../session/session.ts';
import { eventLoopTurn } from '../time/event-loop.ts';
import { MachineClock, type TimeSource } from '../time/machine-clock.ts';
import { type CallKeeper, type CallOptions, rootFrame } from './call-options.ts';
import type { Frame } from './frame.ts';
import { type RunningCall, Runs } from './runs.ts';
import { TakingUp, type UpTo } from './taking-up.ts';
import type { ToolSide, ToolVersion, Undo } from './tool-side.ts';

type FinalStatus = Extract<SessionStatus, 'completed' | 'failed' | 'aborted'>;

/** After so many logs and reports in a row, other calls, timers and sockets get a turn. */
const REPORTS_A_TURN = 64;

/** What a call says once: not again on the way back to where it was. */
const SAID: ReadonlySet<SessionHappening['type']> = new Set(['log', 'progress', 'page_completed']);

/** One run of a tool: the session that everybody outside drives, and what the tool's context talks to inside. */
export class Call implements Session, ToolSide, RunningCall, JournalingCall, LoggedCall {
  readonly id: string;
  readonly key: string;
  readonly principal: string;
  tool: AnyTool;
  plugin: AnyPlugin | undefined;
  params: unknown;
  readonly startedAt: number;
  root: Frame;
  readonly history: CallJournal;
  readonly asks: Asks;
  /** What `before` handed on. */
  handoff: unknown;

  readonly #keeper: CallKeeper<Call>;
  readonly #log: EventLog;
  readonly #leases: Leases;
  readonly #machine: MachineClock;
  // Made when they are needed: most calls are short, and are never taken up.
  #steps: Steps | undefined;
  #undos: Map<string, Undo> | undefined;
  #takingUp: TakingUp | undefined;
  readonly #options: CallOptions;
  readonly #runs: Runs;
  /** Who drives it now may be able to do less than those who began it. */
  #takenUp = false;
  #watchers: Set<() => void> | undefined;
  #final: FinalStatus | undefined;
  #reports = 0;

  constructor(keeper: CallKeeper<Call>, options: CallOptions) {
    const { limits } = options;
    this.#keeper = keeper;
    this.#options = options;
    this.id = options.id;
    this.key = options.key;
    this.principal = options.principal;
    this.tool = options.tool;
    this.plugin = options.plugin;
    this.params = options.params;
    this.startedAt = options.journal.header.began;
    this.#log = new EventLog(this);
    const { timeout } = limits;
    this.#machine = new MachineClock(keeper.time, timeout, () => {
      this.endWith(new McpTimeoutError('the call', timeout ?? 0));
    });
    this.root = rootFrame(options, this.#machine);
    this.history = new CallJournal(this, options.journal);
    this.asks = new Asks(this);
    this.#runs = new Runs(this);
    this.#leases = new Leases(this.asks, options.capabilities, () => {
      this.asks.parkedChanged();
      this.#tellWatchers();
      keeper.changed(this);
    });
  }

  get callId(): string {
    return this.id;
  }

  get toolName(): string {
    return this.tool.name;
  }

  // What the tool's side uses.

  get steps(): Steps {
    this.#steps ??= new Steps(this, this.history);
    return this.#steps;
  }

  /** What takes back the steps of its code, by their ids. */
  get undos(): Map<string, Undo> {
    this.#undos ??= new Map();
    return this.#undos;
  }

  /** Whether the status is final; cleanup may still run. */
  get over(): boolean {
    return this.#final !== undefined;
  }

  /** Whether nobody is attached. */
  get parked(): boolean {
    return this.#leases.count === 0;
  }

  emit(happening: SessionHappening): void {
    if (this.history.silent && SAID.has(happening.type)) return;
    this.#log.add(happening);
  }

  changed(): void {
    this.#keeper.changed(this);
  }

  diagnose(message: string, cause?: unknown): void {
    this.#keeper.diagnose({ callId: this.id, toolName: this.toolName, message, cause });
  }

  keptHandoff(): { readonly value: JsonValue | undefined } | undefined {
    return this.history.keptHandoff();
  }

  keepHandoff(value: JsonValue | undefined): Operation<void> {
    return this.history.keepHandoff(value);
  }

  hold(clock: MachineClock): void {
    this.#takingUp?.hold(clock);
  }

  get time(): TimeSource {
    return this.#keeper.time;
  }

  /** @throws `McpCapabilityError` when nobody of this call can do what is required. */
  require(requirements: ToolRequirements): void {
    const has = this.capabilities();
    const all =
      this.#takenUp && !this.history.replaying ? [this.tool.def.requires, requirements] : [requirements];
    const missing: CapabilityName | undefined =
      has && all.map((one) => missingCapability(one, has)).find((one) => one !== undefined);
    if (missing) throw new McpCapabilityError(this.toolName, missing);
  }

  /** Lets everybody else have a turn of the event loop now and then; after every log and report. */
  *breathe(): Operation<void> {
    if (++this.#reports % REPORTS_A_TURN === 0) yield* eventLoopTurn();
  }

  /** Calls back when who is attached has changed: capabilities may be others now. Returns what stops it. */
  watchAttached(watcher: () => void): () => void {
    this.#watchers ??= new Set();
    const watchers = this.#watchers.add(watcher);
    return () => watchers.delete(watcher);
  }

  #tellWatchers(): void {
    for (const watcher of this.#watchers ?? []) watcher();
  }

  // What its code and its journal use.

  get scope(): Scope {
    return this.#keeper.scope;
  }

  get cleanupGrace(): number {
    return this.#keeper.cleanupGrace;
  }

  get maxLogEvents(): number {
    return this.#keeper.maxLogEvents;
  }

  get closing(): boolean {
    return this.#keeper.closing;
  }

  isOpen(askId: string): boolean {
    return this.asks.find(askId) !== undefined;
  }

  attached(): ClientCapabilities | undefined {
    return this.#leases?.capabilities();
  }

  lost(error: Error): void {
    this.endWith(error);
  }

  prepare(up: UpTo): void {
    this.#takeUp().prepare(up);
  }

  start(): void {
    this.#takingUp?.start();
  }

  undo(id: string): Undo | undefined {
    return this.#undos?.get(id);
  }

  settle(result: Result<JsonValue | undefined>): void {
    if (this.#takingUp && !this.#takingUp.ends(...howItEnded(result))) return;
    if (result.ok) this.#end('completed', { type: 'result', value: result.value });
    else this.#end('failed', { type: 'error', error: errorData(toError(result.error)) });
  }

  endWith(error: Error): void {
    this.#end('failed', { type: 'error', error: errorData(error) });
    this.#runs.halt();
  }

  leave(): void {
    this.asks.withdrawAll();
    this.#takingUp?.stop();
    this.history.letGo();
    // Machine time goes on counting; everything else of this level is over.
    this.root.clock = undefined;
    this.root.close();
  }

  renew(params: unknown, version: ToolVersion = this): void {
    this.tool = version.tool;
    this.plugin = version.plugin;
    this.params = params;
    this.handoff = undefined;
    this.root = rootFrame(this.#options, this.#machine);
  }

  rested(): void {
    this.#keeper.rested(this);
  }

  // What the manager uses.

  /** Its code, while it runs. */
  get runs(): Runs {
    return this.#runs;
  }

  /** Waits until its code is where its journal left it, or it has ended: true for the first. */
  *takenUp(): Operation<boolean> {
    return this.#takingUp ? yield* this.#takingUp.wait() : true;
  }

  /** Ends it here, and here alone: it can be taken up again from its journal. */
  letGo(reason: string): void {
    this.history.letGo();
    this.kill(reason);
  }

  /** The manager closes. A call that is kept elsewhere lives on there. */
  close(reason: string): void {
    if (this.history.kept) this.letGo(reason);
    else this.kill(reason);
  }

  /** What happened before it was taken up, as far as that was kept. */
  restoreEvents(events: readonly SessionEvent[]): void {
    this.#log.restore(events);
  }

  /** Ends it at once, as `abort` does, without waiting for its cleanup. */
  kill(reason: string): void {
    this.#end('aborted', { type: 'aborted', reason });
    this.#runs.halt();
  }

  /** Ends it for newer calls: all that is kept of it is why. */
  giveWay(reason: string): void {
    this.kill(reason);
    this.params = undefined;
    this.handoff = undefined;
    this.history.forget();
    this.#log.forget();
  }

  /** Whether it has open asks. */
  get waits(): boolean {
    if (this.history.replaying) return false;
    const { elicit, sample, roots } = this.asks.pending;
    return elicit + sample + roots > 0;
  }

  /** Waits until its code has come to rest, or is stuck. */
  rest(): Operation<'down' | 'stuck'> {
    return this.#runs.wait();
  }

  // The session, as everybody outside sees it.

  journal(): Journal {
    return this.history.read();
  }

  status(): SessionStatus {
    if (this.#final) return this.#final;
    if (this.history.replaying) return 'running';
    const { pending } = this.asks;
    if (pending.elicit > 0) return 'awaiting_elicit';
    return pending.sample > 0 ? 'awaiting_sample' : 'running';
  }

  openAsks(): readonly Ask[] {
    return this.asks.list();
  }

  awaitsAnswer(askId: string): boolean {
    return this.asks.awaitsAnswer(askId);
  }

  ended(): EndEvent | undefined {
    return this.#log.end;
  }

  events(after?: number): readonly SessionEvent[] {
    return this.#log.after(after);
  }

  nextEvent(after?: number): Operation<SessionEvent> {
    return this.#log.next(after);
  }

  subscribe(listener: (event: SessionEvent) => void): () => void {
    return this.#log.subscribe(listener);
  }

  attach(client: Answerer): Operation<Lease> {
    const lease = () => this.lease(client);
    return resource(function* (provide) {
      const held = lease();
      try {
        yield* provide(held);
      } finally {
        held.detach();
      }
    });
  }

  lease(client: Answerer): Lease {
    return this.#leases.attach(client);
  }

  capabilities(): ClientCapabilities | undefined {
    return this.history.capabilities();
  }

  canAnswer(ask: Ask): boolean {
    return this.#leases.canAnswer(ask);
  }

  elapsed(): number {
    return this.#machine.elapsed();
  }

  respond(askId: string, answer: Answer, attempt?: number): Operation<void> {
    return this.asks.respond(askId, answer, attempt);
  }

  fail(askId: string, error: unknown): Operation<void> {
    return this.asks.fail(askId, error);
  }

  respondToElicit(askId: string, answer: ElicitAnswer<unknown>): Operation<void> {
    if (this.asks.find(askId) && this.asks.find(askId)?.ask.kind !== 'elicit') {
      throw new AskNotFoundError(askId, this.id);
    }
    return this.asks.respond(askId, answer);
  }

  pauseClock(askId: string): () => void {
    return this.asks.find(askId)?.pause() ?? (() => {});
  }

  realm(ask: ElicitAsk): ElicitRealm | undefined {
    return this.asks.realm(ask.id);
  }

  rewind(askId: string, options?: RewindOptions): Operation<void> {
    return this.#runs.rewind(askId, options);
  }

  *abort(reason = 'aborted'): Operation<void> {
    this.kill(reason);
    yield* this.#runs.wait();
  }

  // The status first: it sticks, whatever cleanup does.
  #end(final: FinalStatus, event: EndHappening): void {
    if (this.#final) return;
    this.#final = final;
    this.history.ended(event);
    this.#takingUp?.stop();
    this.asks.withdrawAll();
    this.root.close();
    // Whoever the last event wakes finds everything else in order.
    this.#keeper.changed(this);
    this.#log.add(event);
    this.#keeper.ended(this);
    this.#takingUp?.settle();
  }

  #takeUp(): TakingUp {
    this.#takingUp ??= new TakingUp({
      toolName: this.toolName,
      time: this.time,
      journal: this.history,
      asks: this.asks,
      steps: this.steps,
      clock: this.#machine,
      emit: (happening) => this.emit(happening),
      fail: (error) => this.endWith(error),
      live: () => {
        this.#takenUp = true;
        this.#tellWatchers();
      },
    });
    return this.#takingUp;
  }
}

type EndHappening = Extract<SessionHappening, { type: 'result' | 'error' | 'aborted' }>;

function howItEnded(result: Result<unknown>): [how: string, cause?: Error] {
  if (result.ok) return ['has ended'];
  const error = toError(result.error);
  return [`has failed (${error.message})`, error];
}
