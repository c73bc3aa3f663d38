import { action, type Operation, type Result, race, type Scope } from 'effection';
import { McpCapabilityError } from '../../core/errors/call-errors.ts';
import { ClockContext } from '../../core/world/clock.ts';
import { type Started, startIn } from '../call/start-in.ts';
import type { Ask } from '../session/ask.ts';
import { missingCapability, requirementOf } from '../session/capabilities.ts';
import type { Client } from '../session/client.ts';
import type { EndEvent, SessionEvent } from '../session/events.ts';
import { FaultsContext } from '../session/faults.ts';
import type { Attached, Session } from '../session/session.ts';
import { eventLoopTurn } from '../time/event-loop.ts';
import type { Leaving } from './leaving.ts';
import { Observer } from './observe.ts';
import { answer, gaveUp, hasVerb } from './verb.ts';

/** What `drive` takes beside who and how long. */
export interface DriveOptions {
  /** Logs and progress from after this event on; 0, for all that is kept, by default. Open asks always count. */
  readonly after?: number;
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
  readonly #attached: Attached;
  readonly #until: 'end' | 'blocked';
  /** Where it drives, and its verbs run. */
  readonly #scope: Scope;
  /** The verbs that run, by ask. */
  readonly #running = new Map<string, Started | undefined>();
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
    attached: Attached,
    until: 'end' | 'blocked',
    scope: Scope,
    { after = 0, leaving }: LeavableOptions,
  ) {
    this.#session = session;
    this.#client = client;
    this.#attached = attached;
    this.#until = until;
    this.#cursor = after;
    this.#scope = scope;
    this.#observer = new Observer(session, client, after, scope);
    this.#leaving = leaving;
  }

  *run(): Operation<EndEvent | Blocked | Left> {
    const stop = this.#session.subscribe(() => this.#signal());
    this.#attached.onFreed(() => this.#signal());
    this.#leaving?.onLeave(() => this.#signal());
    try {
      // What happened before concerns the observer; of the asks, those that are still open.
      for (const event of this.#session.events(this.#cursor)) {
        this.#cursor = event.at;
        yield* this.#observer.tell(event);
      }
      for (const ask of this.#session.openAsks()) this.#open(ask);
      for (;;) {
        if (this.#leaving?.hasLeft) return LEFT;
        yield* this.#catchUp();
        // It may end in the turn that is waited for.
        const end = this.#session.ended() ?? (yield* this.#blocked()) ?? this.#session.ended();
        if (end) return yield* this.#delivered(end);
        yield* this.#nextNews();
      }
    } finally {
      stop();
    }
  }

  *#catchUp(): Operation<void> {
    while (this.#news) {
      this.#news = false;
      for (const ask of [...this.#wanted.values()]) this.#open(ask);
      for (const event of this.#session.events(this.#cursor)) {
        this.#cursor = event.at;
        yield* this.#observer.tell(event);
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
      this.#takeElsewhere(ask);
    } else if (this.#attached.claim(ask.id)) {
      this.#wanted.delete(ask.id);
      this.#start(client, ask);
    } else {
      this.#wanted.set(ask.id, ask);
    }
  }

  #takeElsewhere(ask: Ask): void {
    this.#elsewhere.set(ask.id, ask);
    this.#opened += 1;
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
    this.#elsewhere.delete(ask.id);
    let verb: Started | undefined;
    const ended = (result: Result<void> | undefined) => {
      if (result && !result.ok) this.#cannotStop(result.error);
      if (this.#running.get(ask.id) === verb) this.#over(ask.id);
      this.#signal();
    };
    const answering = () =>
      answer(this.#session, client, ask, {
        given: () => this.#attempts.delete(ask.id),
        elsewhere: () => this.#takeElsewhere(ask),
        tooLate: (cause) => this.#cannotStop(cause),
      });
    verb = startIn(this.#scope, answering, ended);
    this.#running.set(ask.id, verb);
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
    verb?.halt();
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
    yield* action<void>((resolve) => {
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

  #cannotStop(cause: unknown): void {
    this.#diagnose('failed to stop answering', cause);
  }

  #diagnose(what: string, cause?: unknown): void {
    this.#scope.expect(FaultsContext)({
      callId: this.#session.id,
      toolName: this.#session.toolName,
      message: `${this.#client.name} ${what}`,
      cause,
    });
  }
}
