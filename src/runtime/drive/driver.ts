import { type Operation, race, type Scope, scoped, useScope } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import { ClockContext } from '../../core/world/clock.ts';
import type { Ask } from '../session/ask.ts';
import { missingCapability, requirementOf } from '../session/capabilities.ts';
import type { Client } from '../session/client.ts';
import type { EndEvent, SessionEvent } from '../session/events.ts';
import { FaultsContext } from '../session/faults.ts';
import type { Lease, Session } from '../session/session.ts';
import { begin } from '../taskless/begin.ts';
import { type WaitPlace, wait } from '../taskless/wait.ts';
import { eventLoopTurn } from '../time/event-loop.ts';
import type { Leaving } from './leaving.ts';
import { Observer, observes } from './observe.ts';
import { type RunningVerb, runLightly, runVerb } from './running-verb.ts';
import { answer, gaveUp, hasVerb } from './verb.ts';

/** What `drive` takes beside who and how long. */
export interface DriveOptions {
  /** Logs and progress from after this event on; 0, for all that is kept, by default. Open asks always count. */
  readonly after?: number;
  /** The task that drives ends right after: verbs run as its children, and need no scope of their own. */
  readonly last?: boolean;
}

/** The same for one who may leave meanwhile. */
export interface LeavableOptions extends DriveOptions {
  readonly leaving?: Leaving | undefined;
}

/** Who drove has left; the call goes on. */
export interface Left {
  readonly type: 'left';
}

const LEFT: Left = { type: 'left' };

/** The call waits for answers that nobody here gives. */
export interface Blocked {
  readonly type: 'blocked';
  /** What it waits for. */
  readonly asks: readonly Ask[];
  /** Where the next leg goes on: hand it in as `after`. */
  readonly at: number;
}

/** How long the end of a call waits for an observer that lags behind. */
const OBSERVER_PATIENCE = 5_000;

/** After so many events in a row the event loop gets a turn, also when every verb answers at once. */
const EVENTS_A_TURN = 64;

/** One client driving one session, until the end or until blocked. */
export class Driver {
  readonly #session: Session;
  readonly #client: Client;
  readonly #lease: Lease;
  readonly #until: 'end' | 'blocked';
  /** The scope that drives, for its contexts. */
  readonly #place: WaitPlace;
  /** Whether it drives without a task. Then its verbs do without, too, as far as they can. */
  readonly #light: boolean;
  /** Where verbs run. There is none until one has to: a scope costs more than most short legs do. */
  #tasks: Scope | undefined;
  /** What waits for that, in order. */
  readonly #waiting: (() => void)[] = [];
  /** The verbs that run, or wait to, by ask. */
  readonly #running = new Map<string, RunningVerb | undefined>();
  /** Which attempt those answer that have not answered yet. */
  readonly #attempts = new Map<string, number>();
  /** Asks that were announced again while their verb ran: its answer did not fit, or has not counted. */
  readonly #again = new Map<string, Ask>();
  /** How many answers this client has given to a question. */
  readonly #answers = new Map<string, number>();
  /** Asks that another driver has claimed. */
  readonly #wanted = new Map<string, Ask>();
  /** Asks that no verb of this client answers. */
  readonly #elsewhere = new Map<string, Ask>();
  #cursor: number;
  readonly #observer: Observer;
  readonly #leaving: Leaving | undefined;
  #handled = 0;
  /** How often an ask was opened, or asked again, for somebody elsewhere. */
  #opened = 0;
  #news = true;
  #wake: (() => void) | undefined;

  constructor(
    session: Session,
    client: Client,
    lease: Lease,
    until: 'end' | 'blocked',
    place: WaitPlace,
    { after = 0, last = false, leaving }: LeavableOptions,
  ) {
    this.#session = session;
    this.#client = client;
    this.#lease = lease;
    this.#until = until;
    this.#place = place;
    this.#light = !place.own;
    this.#tasks = last && place.own ? place.scope : undefined;
    this.#cursor = after;
    this.#observer = new Observer(session, client, after);
    this.#leaving = leaving;
  }

  *run(): Operation<EndEvent | Blocked | Left> {
    const stop = this.#session.subscribe(() => this.#signal());
    this.#lease.onFreed(() => this.#signal());
    this.#leaving?.onLeave(() => this.#signal());
    try {
      // What happened before concerns the observer; of the asks, those that are still open.
      for (const event of this.#session.events(this.#cursor)) {
        this.#cursor = event.at;
        this.#tell(event);
      }
      for (const ask of this.#session.openAsks()) this.#open(ask);
      return (yield* this.#reach()) ?? (yield* scoped(() => this.#reachWithTasks()));
    } finally {
      stop();
      if (this.#light || this.#leaving?.hasLeft) for (const id of [...this.#running.keys()]) this.#halt(id);
    }
  }

  /** Goes as far as it goes; nothing when something has to run meanwhile and there is no place for it. */
  *#reach(): Operation<EndEvent | Blocked | Left | undefined> {
    for (;;) {
      if (this.#leaving?.hasLeft) return LEFT;
      yield* this.#catchUp();
      if (this.#waiting.length > 0) return undefined;
      // It may end in the turn that is waited for.
      const end = this.#session.ended() ?? (yield* this.#blocked()) ?? this.#session.ended();
      if (this.#waiting.length > 0) return undefined;
      if (end) return yield* this.#delivered(end);
      yield* this.#nextNews();
    }
  }

  *#reachWithTasks(): Operation<EndEvent | Blocked | Left> {
    this.#tasks = yield* useScope();
    for (const what of this.#waiting.splice(0)) what();
    for (;;) {
      const reached = yield* this.#reach();
      if (reached) return reached;
    }
  }

  /** Does what may need tasks, once there is a place for them. */
  #withTasks(what: (tasks: Scope) => void): void {
    if (this.#tasks) {
      what(this.#tasks);
      return;
    }
    this.#waiting.push(() => this.#withTasks(what));
    this.#signal();
  }

  #tell(event: SessionEvent): void {
    if (observes(this.#client, event)) this.#withTasks((tasks) => this.#observer.tell(event, tasks));
  }

  *#catchUp(): Operation<void> {
    while (this.#news) {
      this.#news = false;
      for (const ask of [...this.#wanted.values()]) this.#open(ask);
      for (const event of this.#session.events(this.#cursor)) {
        this.#cursor = event.at;
        this.#tell(event);
        this.#take(event);
        if (++this.#handled % EVENTS_A_TURN === 0) yield* eventLoopTurn();
      }
    }
  }

  #take(event: SessionEvent): void {
    if ('ask' in event) this.#open(event.ask);
    else if (event.type === 'ask_closed') this.#close(event.id);
    else if (event.type === 'gap') this.#closeMissed();
  }

  #open(ask: Ask): void {
    if (this.#running.has(ask.id)) {
      if ((this.#attempts.get(ask.id) ?? ask.attempt) >= ask.attempt) {
        // Its verb may still wait until that is written down.
        this.#again.set(ask.id, ask);
        return;
      }
      // Somebody else's answer did not fit: it is asked again here as well.
      this.#halt(ask.id);
      this.#answers.set(ask.id, (this.#answers.get(ask.id) ?? 1) - 1);
    }
    const client = this.#clientFor(ask);
    if (!client) {
      this.#elsewhere.set(ask.id, ask);
      this.#opened += 1;
    } else if (this.#lease.claim(ask.id)) {
      this.#wanted.delete(ask.id);
      this.#start(client, ask);
    } else {
      this.#wanted.set(ask.id, ask);
    }
  }

  /** Whose verb answers an ask, if anybody's here. */
  #clientFor(ask: Ask): Client | undefined {
    if (!this.#client.can(ask)) return undefined;
    const client = this.#client.pick ? this.#client.pick(ask) : this.#client;
    return client && hasVerb(client, ask) ? client : undefined;
  }

  #start(client: Client, ask: Ask): void {
    const answers = this.#answers.get(ask.id) ?? 0;
    if (gaveUp(this.#session, client, ask, answers)) return;
    this.#answers.set(ask.id, answers + 1);
    this.#attempts.set(ask.id, ask.attempt);
    this.#running.set(ask.id, undefined);
    if (this.#light && !this.#tasks) this.#run(client, ask);
    else
      this.#withTasks((tasks) => {
        if (this.#running.has(ask.id)) this.#run(client, ask, tasks);
      });
  }

  #run(client: Client, ask: Ask, tasks?: Scope): void {
    const running = this.#running;
    const begun = begin(() =>
      answer(this.#session, client, ask, {
        given: () => this.#attempts.delete(ask.id),
        tooLate: (cause) => this.#diagnose('failed to stop answering', cause),
      }),
    );
    if (begun.done) {
      this.#over(ask.id);
      return;
    }
    let verb: RunningVerb | undefined;
    let over = false;
    // When its code is over, and not when its task has come to rest: what is over need not be halted.
    const ended = () => {
      over = true;
      if (running.get(ask.id) === verb) this.#over(ask.id);
      this.#signal();
    };
    const withTasks = (what: (scope: Scope) => void) => this.#withTasks(what);
    verb = tasks ? runVerb(begun, tasks, ended) : runLightly(begun, { ...this.#place, withTasks, ended });
    if (!over) running.set(ask.id, verb);
  }

  /** The verb of an ask is over. One that was announced meanwhile, and is still open, has its turn. */
  #over(id: string): void {
    this.#running.delete(id);
    const again = this.#again.get(id);
    this.#again.delete(id);
    if (!again || !this.#session.awaitsAnswer(id)) return;
    this.#wanted.set(id, again);
    this.#signal();
  }

  #close(id: string): void {
    this.#attempts.delete(id);
    this.#wanted.delete(id);
    this.#again.delete(id);
    this.#elsewhere.delete(id);
    this.#answers.delete(id);
    this.#halt(id);
  }

  #halt(id: string): void {
    const verb = this.#running.get(id);
    this.#running.delete(id);
    verb?.halt().catch((cause: unknown) => this.#diagnose('failed to stop answering', cause));
  }

  // Closings may have been among events that were dropped.
  #closeMissed(): void {
    const open = new Set(this.#session.openAsks().map(({ id }) => id));
    for (const id of [...this.#running.keys(), ...this.#elsewhere.keys(), ...this.#wanted.keys()]) {
      if (!open.has(id)) this.#close(id);
    }
  }

  *#blocked(): Operation<Blocked | undefined> {
    if (this.#elsewhere.size === 0) return undefined;
    const opened = this.#opened;
    yield* this.#session.settled();
    yield* this.#catchUp();
    if (opened !== this.#opened) {
      this.#news = true;
      return undefined;
    }
    if (this.#until === 'end') {
      this.#failHopeless();
      return undefined;
    }
    // Returning halts this driver's verbs: those that run come first.
    const asks = [...this.#elsewhere.values()].filter((ask) => this.#isOurs(ask));
    // One whose answer is being checked is asked again, or closes: both are news.
    if (!asks.every(({ id }) => this.#session.awaitsAnswer(id))) return undefined;
    if (asks.length === 0 || this.#running.size > 0 || this.#session.ended()) return undefined;
    return { type: 'blocked', asks, at: this.#cursor };
  }

  /** Whether this client takes an ask elsewhere, or nobody attached can answer it. */
  #isOurs(ask: Ask): boolean {
    return this.#client.can(ask) || !this.#session.canAnswer(ask);
  }

  #failHopeless(): void {
    for (const ask of [...this.#elsewhere.values()]) {
      if (this.#session.canAnswer(ask) || !this.#session.awaitsAnswer(ask.id)) continue;
      const has = this.#session.capabilities() ?? {};
      const missing = missingCapability(requirementOf(ask), has) ?? 'elicitation';
      this.#session.fail(
        ask.id,
        new McpCapabilityError({ toolName: this.#session.toolName, capability: missing }),
      );
    }
  }

  /** Lets the observer see everything first, but waits only so long for one that lags behind. */
  *#delivered<T extends EndEvent | Blocked>(outcome: T): Operation<T> {
    if (this.#observer.behind) {
      const clock = yield* ClockContext.expect();
      yield* race([this.#observer.caughtUp(), clock.sleep(OBSERVER_PATIENCE)]);
      if (this.#observer.behind) this.#diagnose('is too slow: logs and progress were left out');
    }
    return outcome;
  }

  *#nextNews(): Operation<void> {
    if (this.#news) return;
    yield* wait<void>((resolve) => {
      if (this.#news) resolve();
      else this.#wake = resolve;
      return () => {
        this.#wake = undefined;
      };
    }, 'news of the session');
  }

  #signal(): void {
    this.#news = true;
    this.#wake?.();
  }

  #diagnose(what: string, cause?: unknown): void {
    this.#place.scope.expect(FaultsContext)({
      callId: this.#session.id,
      toolName: this.#session.toolName,
      message: `${this.#client.name} ${what}`,
      cause,
    });
  }
}
