import { Err, type Operation, type Result, type Scope } from 'effection';
import { McpTimeoutError } from '../../core/errors/call-errors.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import type { AnyPlugin } from '../../core/plugin/plugin.ts';
import { defined } from '../../core/schema/defined.ts';
import type { MadeBy } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import { CallJournal } from '../journal/call-journal.ts';
import type { JournalingCall } from '../journal/journaling-call.ts';
import { Steps } from '../journal/steps.ts';
import type { CallPolicy } from '../policy/call-policy.ts';
import { Asks } from '../session/asks.ts';
import { AttachedClients } from '../session/attached.ts';
import { EventLog, type LoggedCall } from '../session/event-log.ts';
import { extraReports, type SessionHappening } from '../session/events.ts';
import { eventLoopTurn } from '../time/event-loop.ts';
import { MachineClock, type TimeSource } from '../time/machine-clock.ts';
import { type CodeElsewhere, turnOfAll } from '../time/turn-of-all.ts';
import { howItEnded, TakingUp, type UpTo } from './again/taking-up.ts';
import { CallFromOutside, type FinalStatus } from './call-from-outside.ts';
import { type CallKeeper, type CallOptions, rootFrame } from './call-options.ts';
import { type RunningCall, Runs } from './runs.ts';
import { firstFailure } from './thrown.ts';
import { type CallGate, ToolSide, type ToolVersion, type Undo } from './tool-side.ts';

/** After so many logs and reports in a row, other calls, timers and sockets get a turn; after fewer long ones. */
const REPORTS_A_TURN = 64;

/** What a call says once: not again on the way back to where it was. */
const SAID: ReadonlySet<SessionHappening['type']> = new Set(['log', 'progress', 'page_completed']);

/** One run of a tool: the session that everybody outside drives, and what the tool's context talks to inside. */
export class Call extends CallFromOutside implements CallGate, RunningCall, JournalingCall, LoggedCall {
  readonly id: string;
  readonly key: string;
  readonly principal: string;
  /** Its own tool, from its first line. */
  side: ToolSide;
  readonly startedAt: number;
  readonly history: CallJournal;
  readonly asks: Asks;

  readonly #keeper: CallKeeper<Call>;
  protected readonly log: EventLog;
  protected readonly clients: AttachedClients;
  protected readonly machine: MachineClock;
  // Made when they are needed: most calls are short, and are never taken up.
  #steps: Steps | undefined;
  #undos: Map<string, Undo> | undefined;
  #takingUp: TakingUp | undefined;
  /** What its code begins with again. */
  readonly #begins: Pick<CallOptions, 'limits' | 'parentMessages'>;
  /** Its code, while it runs. */
  readonly runs: Runs;
  /** Of whoever created it. */
  policy: CallPolicy | undefined;
  #takenUp = false;
  /** Where else its code runs. */
  #realms: Set<CodeElsewhere> | undefined;
  protected final: FinalStatus | undefined;
  #reports = 0;

  constructor(keeper: CallKeeper<Call>, options: CallOptions) {
    super();
    const { limits } = options;
    this.#keeper = keeper;
    this.#begins = { limits, parentMessages: options.parentMessages };
    this.id = options.id;
    this.key = options.key;
    this.principal = options.principal;
    this.startedAt = options.journal.header.began;
    this.log = new EventLog(this);
    const { timeout } = limits;
    this.machine = new MachineClock(keeper.time, timeout, () => {
      this.endWith(new McpTimeoutError({ what: 'the call', timeout: timeout ?? 0 }));
    });
    this.side = new ToolSide(this, options, options.params, rootFrame(options, this.machine));
    this.history = new CallJournal(this, options.journal);
    this.asks = new Asks(this, options.journal.header.together === true);
    this.runs = new Runs(this);
    this.clients = new AttachedClients(this.asks, options.capabilities, () => {
      this.asks.attendanceChanged();
      this.#tellRealms();
      keeper.changed(this);
    });
  }

  get madeBy(): MadeBy {
    const { principal, client } = this.history.header;
    return defined({ client, principal: principal || undefined });
  }

  get tool(): AnyTool {
    return this.side.tool;
  }

  get plugin(): AnyPlugin | undefined {
    return this.side.plugin;
  }

  get params(): unknown {
    return this.side.params;
  }

  // What the tools in it use.

  get steps(): Steps {
    this.#steps ??= new Steps(this, this.history);
    return this.#steps;
  }

  /** What takes back the steps of its code, by their ids. */
  get undos(): Map<string, Undo> {
    this.#undos ??= new Map();
    return this.#undos;
  }

  emit(happening: SessionHappening): void {
    if (this.history.silent && SAID.has(happening.type)) return;
    this.#reports += extraReports(happening);
    this.log.add(happening);
  }

  changed(): void {
    this.#keeper.changed(this);
  }

  diagnose(message: string, cause?: unknown): void {
    this.#keeper.diagnose({ callId: this.id, toolName: this.toolName, message, cause });
  }

  earlierHandoff(): { readonly value: JsonValue | undefined } | undefined {
    return this.history.earlierHandoff();
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

  /** Whether who drives it now may be able to do less than those who began it. */
  get resumed(): boolean {
    return this.#takenUp && !this.history.replaying;
  }

  /** Lets everybody else have a turn of the event loop now and then; after every log and report. */
  *breathe(): Operation<void> {
    if (++this.#reports < REPORTS_A_TURN) return;
    this.#reports = 0;
    yield* eventLoopTurn();
  }

  /** Code of it runs elsewhere. Returns what says that it has ended. */
  runsIn(realm: CodeElsewhere): () => void {
    this.#realms ??= new Set();
    const realms = this.#realms.add(realm);
    return () => realms.delete(realm);
  }

  #tellRealms(): void {
    for (const realm of this.#realms ?? []) realm.capable();
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

  caughtUp(then: () => void): void {
    turnOfAll(this.#realms, then);
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
    const came: Result<JsonValue | undefined> = result.ok
      ? result
      : Err(
          firstFailure(this.side, toError(result.error), (message, cause) => this.diagnose(message, cause)),
        );
    if (this.#takingUp && !this.#takingUp.ends(...howItEnded(came))) return;
    if (came.ok) this.#end('completed', { type: 'result', value: came.value });
    else this.#end('failed', { type: 'error', error: errorData(came.error) });
  }

  endWith(error: Error): void {
    this.#end('failed', { type: 'error', error: errorData(error) });
    this.runs.halt();
  }

  leave(): void {
    this.asks.withdrawAll();
    this.#takingUp?.stop();
    this.history.release();
    // Machine time goes on counting; everything else of this level is over.
    this.side.root.clock = undefined;
    this.side.root.close();
  }

  renew(params: unknown, version: ToolVersion = this): void {
    this.side = new ToolSide(this, version, params, rootFrame(this.#begins, this.machine));
  }

  rested(): void {
    this.#keeper.rested(this);
  }

  // What the manager uses.

  /** Waits until its code is where its journal left it, or it has ended: true for the first. */
  *takenUp(): Operation<boolean> {
    return this.#takingUp ? yield* this.#takingUp.wait() : true;
  }

  /** Ends it here, and here alone: it can be taken up again from its journal. */
  release(reason: string): void {
    this.history.release();
    this.kill(reason);
  }

  /** The manager closes. A call that is kept elsewhere lives on there. */
  close(reason: string): void {
    if (this.history.kept) this.release(reason);
    else this.kill(reason);
  }

  /** Ends it at once, as `abort` does, without waiting for its cleanup. */
  kill(reason: string): void {
    this.#end('aborted', { type: 'aborted', reason });
    this.runs.halt();
  }

  /**
   * About how many bytes it keeps beside its parameters: what its clients answered, and while nobody attends to it what its
   * tool said and did, too.
   */
  get holds(): number {
    const { given, results } = this.history.recorded;
    return this.unattended ? given + results + this.log.bytes : given;
  }

  /** Ends it where there is too much: all that is kept of it is why. */
  giveWay(why: string | Error): void {
    if (typeof why === 'string') this.kill(why);
    else this.endWith(why);
    this.forget();
    this.log.forget();
  }

  /** Drops what it was given, and its journal: nobody goes back in it. */
  forget(): void {
    this.side.params = undefined;
    this.side.handoff = undefined;
    this.history.forget();
  }

  // The status first: it sticks, whatever cleanup does.
  #end(final: FinalStatus, event: EndHappening): void {
    if (this.final) return;
    this.final = final;
    this.history.ended(event);
    this.#takingUp?.stop();
    this.asks.withdrawAll();
    this.side.root.close();
    // Whoever the last event wakes finds everything else in order.
    this.#keeper.changed(this);
    this.log.add(event);
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
      clock: this.machine,
      emit: (happening) => this.emit(happening),
      caughtUp: (then) => this.caughtUp(then),
      capable: () => this.#tellRealms(),
      fail: (error) => {
        this.#end('failed', { type: 'error', error: errorData(error) });
        // Its code may be on the stack, and is told first: what it throws then is no failure of its cleanup.
        queueMicrotask(() => this.runs.halt());
      },
      live: () => {
        this.#takenUp = true;
      },
    });
    return this.#takingUp;
  }
}

type EndHappening = Extract<SessionHappening, { type: 'result' | 'error' | 'aborted' }>;
