import { type IsolatedTool, ToolCrashedError, ToolStuckError } from '../../core/errors/isolation-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import type { RealmEnd, RealmLink } from '../transport/link.ts';
import { decode, encode } from '../wire/codec.ts';
import type { Order } from '../wire/orders.ts';
import { type Report, type ReportOf, report } from '../wire/reports.ts';
import { Watch, type WatchLimits } from './watch.ts';

/** Reports that are for one call. */
export type CallReport = Extract<Report, { call: number }>;
/** Reports that are for one handler. */
export type HandlingReport = Extract<Report, { handling: number }>;
/** Reports of loading. */
export type LoadReport = ReportOf<'loading' | 'loaded' | 'threw' | 'ready'>;

/** Who hears of a call, a handler or a load. */
export interface Listener<R extends Report> {
  take(report: R): void;
  /** The realm has ended; `why` makes the error of a tool. */
  ended(why: (tool: IsolatedTool) => Error): void;
}

/** What came of parsing. */
export type Parsed = ReportOf<'parsed' | 'unfit'>;

/** After so many messages that cannot be read, a realm is ended: what it runs on is broken. */
const MOST_UNREADABLE = 3;

type Why = (tool: IsolatedTool) => Error;

/** The end of a line that has the sessions: one realm, its calls, and a watch over it. */
export class Connection {
  readonly watch: Watch;
  readonly #link: RealmLink;
  readonly #diagnose: (message: string, cause?: unknown) => void;
  readonly #calls = new Map<number, Listener<CallReport>>();
  readonly #handlings = new Map<number, Listener<HandlingReport>>();
  readonly #parses = new Map<number, Listener<Parsed>>();
  #loader: Listener<LoadReport> | undefined;
  #why: Why | undefined;
  #retired = false;
  #unreadable = 0;

  constructor(link: RealmLink, limits: WatchLimits, diagnose: (message: string, cause?: unknown) => void) {
    this.#link = link;
    this.#diagnose = diagnose;
    this.watch = new Watch({
      limits,
      ping: () => this.send({ type: 'ping' }),
      stuck: (silence) => this.endStuck(silence),
      idle: () => this.end((tool) => new ToolCrashedError(tool, 'its worker had nothing to do')),
    });
    link.listen((text) => this.#hear(text));
    void link.ended.then((end) => this.#ended((tool) => crashError(tool, end)));
  }

  /** Whether it takes no more calls. */
  get closed(): boolean {
    return this.#retired || this.#why !== undefined;
  }

  send(order: Order): void {
    if (!this.#why) this.#link.send(encode(order));
  }

  load(order: Extract<Order, { type: 'load' }>, listener: Listener<LoadReport>): void {
    if (this.#why) {
      listener.ended(this.#why);
    } else {
      this.#loader = listener;
      this.send(order);
    }
  }

  parse(order: Extract<Order, { type: 'parse' }>): Promise<Parsed> {
    const { promise, resolve, reject } = Promise.withResolvers<Parsed>();
    const done = this.watch.begin();
    const listener: Listener<Parsed> = {
      take: resolve,
      ended: (why) => reject(new RealmEndedError(why)),
    };
    this.#listen(this.#parses, order.parse, listener);
    this.send(order);
    return promise.finally(() => {
      this.#parses.delete(order.parse);
      done();
      this.#restIfRetired();
    });
  }

  /** Hears the reports of a call until what it returns is called. */
  listenToCall(call: number, listener: Listener<CallReport>): () => void {
    const done = this.watch.begin();
    this.#listen(this.#calls, call, listener);
    return () => {
      this.#calls.delete(call);
      done();
      this.#restIfRetired();
    };
  }

  /** Hears the reports of a handler until what it returns is called. */
  listenToHandling(handling: number, listener: Listener<HandlingReport>): () => void {
    this.#listen(this.#handlings, handling, listener);
    return () => this.#handlings.delete(handling);
  }

  /** Takes no more calls, and ends with the last of those it has. */
  retire(): void {
    this.#retired = true;
    this.#restIfRetired();
  }

  /** Ends the realm: it gives nobody a turn any more. */
  endStuck(silence: number): void {
    this.end((tool) => new ToolStuckError(tool, silence));
  }

  /** Ends the realm now, whatever it is doing. */
  end(why: Why): void {
    this.#ended(why);
    void this.#link.terminate();
  }

  #listen<R extends Report>(
    listeners: Map<number, Listener<R>>,
    number: number,
    listener: Listener<R>,
  ): void {
    if (this.#why) listener.ended(this.#why);
    else listeners.set(number, listener);
  }

  #restIfRetired(): void {
    if (this.#retired && !this.watch.busy) {
      this.end((tool) => new ToolCrashedError(tool, 'another version has taken its place'));
    }
  }

  #hear(text: unknown): void {
    if (this.#why) return;
    const read = decode(report, text);
    if (read.ok) {
      this.watch.heard();
      this.#deliver(read.message);
      return;
    }
    this.#diagnose('a tool sent what is no message', new Error(read.problem));
    this.#unreadable += 1;
    if (this.#unreadable < MOST_UNREADABLE) return;
    this.end((tool) => new ToolCrashedError(tool, `its worker sends what cannot be read (${read.problem})`));
  }

  #deliver(sent: Report): void {
    switch (sent.type) {
      case 'pong':
        return;
      case 'loading':
      case 'loaded':
      case 'threw':
      case 'ready':
        this.#loader?.take(sent);
        break;
      case 'parsed':
      case 'unfit':
        this.#parses.get(sent.parse)?.take(sent);
        break;
      case 'diagnostic':
        this.#diagnose(sent.message, sent.error);
        break;
      default:
        if ('handling' in sent) this.#handlings.get(sent.handling)?.take(sent);
        else this.#calls.get(sent.call)?.take(sent);
    }
  }

  #ended(why: Why): void {
    if (this.#why) return;
    this.#why = why;
    this.watch.close();
    const listeners = [
      ...this.#calls.values(),
      ...this.#handlings.values(),
      ...this.#parses.values(),
      ...(this.#loader ? [this.#loader] : []),
    ];
    for (const listener of listeners) listener.ended(why);
  }
}

/** The realm has ended; which tool suffers from it is for the receiver to say. */
export class RealmEndedError extends Error {
  readonly why: Why;

  constructor(why: Why) {
    super('the realm has ended');
    this.why = why;
  }
}

function crashError(tool: IsolatedTool, end: RealmEnd): Error {
  if (end.kind === 'exited') return new ToolCrashedError(tool, `it called process.exit(${end.code})`);
  if (end.kind === 'terminated') return new ToolCrashedError(tool, 'its worker was ended');
  if (end.kind === 'lost') return new ToolCrashedError(tool, end.reason);
  const error = toError(end.error);
  return new ToolCrashedError(tool, `an error that nothing caught: ${error.name}: ${error.message}`, {
    cause: error,
  });
}
