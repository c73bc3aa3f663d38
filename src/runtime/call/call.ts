import { type Operation, type Result, resource, type Scope } from 'effection';
import { type CapabilityName, McpCapabilityError, McpTimeoutError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { AskNotFoundError } from '../../core/errors/session-errors.ts';
import type { Message } from '../../core/messages/content.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import type { ElicitAnswer } from '../../core/tool/ask.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool, ToolLimits, ToolRequirements } from '../../core/tool/tool.ts';
import type { Answer, Ask, ElicitAsk } from '../session/ask.ts';
import { Asks } from '../session/asks.ts';
import { missingCapability } from '../session/capabilities.ts';
import { EventLog } from '../session/event-log.ts';
import type { EndEvent, SessionEvent, SessionHappening } from '../session/events.ts';
import type { ReportFault } from '../session/faults.ts';
import { Leases } from '../session/leases.ts';
import type { Answerer, ElicitRealm, Lease, Session, SessionStatus } from '../session/session.ts';
import { eventLoopTurn } from '../time/event-loop.ts';
import { MachineClock, type TimeSource } from '../time/machine-clock.ts';
import type { Begun } from './begin.ts';
import { Ending } from './ending.ts';
import { Frame } from './frame.ts';
import type { ToolSide } from './tool-side.ts';

/** What calls live in: the manager's part. */
export interface CallKeeper {
  /** Tasks of all calls run here; it outlives whoever created them. */
  readonly scope: Scope;
  readonly time: TimeSource;
  readonly diagnose: ReportFault;
  readonly cleanupGrace: number;
  readonly maxLogEvents: number;
  /** Its status, or who is attached, has changed. */
  changed(call: Call): void;
  /** Its last event is out. */
  ended(call: Call): void;
  /** Its code has come to rest: nothing of it runs any more. */
  rested(call: Call): void;
}

/** What a call is made of. `params` are parsed already. */
export interface CallOptions {
  readonly id: string;
  readonly key: string;
  readonly principal: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  readonly params: unknown;
  readonly capabilities: ClientCapabilities | undefined;
  readonly limits: ToolLimits;
  readonly parentMessages: readonly Message[] | undefined;
}

type FinalStatus = Extract<SessionStatus, 'completed' | 'failed' | 'aborted'>;

/** After so many logs and reports in a row, other calls, timers and sockets get a turn. */
const REPORTS_A_TURN = 64;

/** One run of a tool: the session that everybody outside drives, and what the tool's context talks to inside. */
export class Call implements Session, ToolSide {
  readonly id: string;
  readonly key: string;
  readonly principal: string;
  readonly tool: AnyTool;
  readonly plugin: AnyPlugin | undefined;
  params: unknown;
  readonly startedAt: number;
  readonly root: Frame;
  readonly asks: Asks;
  /** What `before` handed on. */
  handoff: unknown;

  readonly #keeper: CallKeeper;
  readonly #log: EventLog;
  readonly #leases: Leases;
  readonly #machine: MachineClock;
  readonly #ending: Ending;
  readonly #watchers = new Set<() => void>();
  #final: FinalStatus | undefined;
  #reports = 0;

  constructor(keeper: CallKeeper, options: CallOptions) {
    const { limits } = options;
    this.#keeper = keeper;
    this.id = options.id;
    this.key = options.key;
    this.principal = options.principal;
    this.tool = options.tool;
    this.plugin = options.plugin;
    this.params = options.params;
    this.startedAt = keeper.time.now();
    this.#log = new EventLog({
      now: () => keeper.time.now(),
      capacity: keeper.maxLogEvents,
      isOpen: (id) => this.asks.find(id) !== undefined,
      onListenerError: (cause) => this.diagnose('a listener of the session threw', cause),
    });
    this.#ending = new Ending({
      scope: keeper.scope,
      time: keeper.time,
      cleanupGrace: keeper.cleanupGrace,
      diagnose: (message, cause) => this.diagnose(message, cause),
      rested: () => keeper.rested(this),
    });
    const { timeout } = limits;
    this.#machine = new MachineClock(keeper.time, timeout, () => {
      this.#end('failed', { type: 'error', error: errorData(new McpTimeoutError('the call', timeout ?? 0)) });
      this.#ending.halt();
    });
    this.root = new Frame({
      parentMessages: options.parentMessages,
      maxDepth: limits.maxDepth ?? Number.POSITIVE_INFINITY,
      tokens: limits.maxTokens === undefined ? undefined : { allowed: limits.maxTokens, used: 0 },
    });
    this.root.clock = this.#machine;
    this.asks = new Asks(this);
    this.#leases = new Leases(this.asks, options.capabilities, () => {
      this.asks.parkedChanged();
      for (const watcher of this.#watchers) watcher();
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

  /** Whether the status is final; cleanup may still run. */
  get over(): boolean {
    return this.#final !== undefined;
  }

  /** Whether nobody is attached. */
  get parked(): boolean {
    return this.#leases.count === 0;
  }

  emit(happening: SessionHappening): void {
    this.#log.add(happening);
  }

  changed(): void {
    this.#keeper.changed(this);
  }

  diagnose(message: string, cause?: unknown): void {
    this.#keeper.diagnose({ callId: this.id, toolName: this.toolName, message, cause });
  }

  get time(): TimeSource {
    return this.#keeper.time;
  }

  /** @throws `McpCapabilityError` when nobody of this call can do what is required. */
  require(requirements: ToolRequirements): void {
    const has = this.#leases.capabilities();
    const missing: CapabilityName | undefined = has && missingCapability(requirements, has);
    if (missing) throw new McpCapabilityError(this.toolName, missing);
  }

  /** Lets everybody else have a turn of the event loop now and then; after every log and report. */
  *breathe(): Operation<void> {
    if (++this.#reports % REPORTS_A_TURN === 0) yield* eventLoopTurn();
  }

  /** Calls back when who is attached has changed: capabilities may be others now. Returns what stops it. */
  watchAttached(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  // What the manager uses.

  /** Takes up the tool's code where {@link begin} left it. `prepare` runs first in the call's own scope. */
  adopt(begun: Begun<JsonValue | undefined>, prepare: (scope: Scope) => void): void {
    if (begun.done) {
      this.#settle(begun.result);
      this.#ending.down();
    } else {
      this.#ending.adopt(begun, prepare, (result) => this.#settle(result));
    }
  }

  /** Ends it at once, as `abort` does, without waiting for its cleanup. */
  kill(reason: string): void {
    this.#end('aborted', { type: 'aborted', reason });
    this.#ending.halt();
  }

  /** Ends it for newer calls: all that is kept of it is why. */
  giveWay(reason: string): void {
    this.kill(reason);
    this.params = undefined;
    this.handoff = undefined;
    this.#log.forget();
  }

  /** Whether it has open asks. */
  get waits(): boolean {
    const { elicit, sample, roots } = this.asks.pending;
    return elicit + sample + roots > 0;
  }

  /** Waits until its code has come to rest, or is stuck. */
  rest(): Operation<'down' | 'stuck'> {
    return this.#ending.wait();
  }

  // The session, as everybody outside sees it.

  status(): SessionStatus {
    if (this.#final) return this.#final;
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
    return this.#leases.capabilities();
  }

  canAnswer(ask: Ask): boolean {
    return this.#leases.canAnswer(ask);
  }

  elapsed(): number {
    return this.#machine.elapsed();
  }

  respond(askId: string, answer: Answer, attempt?: number): void {
    this.asks.respond(askId, answer, attempt);
  }

  fail(askId: string, error: unknown): void {
    this.asks.fail(askId, error);
  }

  respondToElicit(askId: string, answer: ElicitAnswer<unknown>): void {
    if (this.asks.find(askId) && this.asks.find(askId)?.ask.kind !== 'elicit') {
      throw new AskNotFoundError(askId, this.id);
    }
    this.asks.respond(askId, answer);
  }

  pauseClock(askId: string): () => void {
    return this.asks.find(askId)?.pause() ?? (() => {});
  }

  realm(ask: ElicitAsk): ElicitRealm | undefined {
    return this.asks.realm(ask.id);
  }

  *abort(reason = 'aborted'): Operation<void> {
    this.kill(reason);
    yield* this.#ending.wait();
  }

  #settle(result: Result<JsonValue | undefined>): void {
    if (result.ok) this.#end('completed', { type: 'result', value: result.value });
    else this.#end('failed', { type: 'error', error: errorData(toError(result.error)) });
  }

  // The status first: it sticks, whatever cleanup does.
  #end(final: FinalStatus, event: SessionHappening): void {
    if (this.#final) return;
    this.#final = final;
    this.asks.withdrawAll();
    this.root.close();
    // Whoever the last event wakes finds everything else in order.
    this.#keeper.changed(this);
    this.#log.add(event);
    this.#keeper.ended(this);
  }
}
