import { AsyncLocalStorage } from 'node:async_hooks';
import { action, type Operation, type Result } from 'effection';
import type { LogLevel } from '../../../core/tool/context.ts';

/** What a server may ask while it is called. */
export type ForeignAskKind = 'elicit' | 'sample' | 'roots';

/** Something that a server asks, until it is answered. */
export interface ForeignAsk {
  readonly kind: ForeignAskKind;
  readonly params: Readonly<Record<string, unknown>>;
  /** Aborts when the server does not want the answer any more. */
  readonly signal: AbortSignal;
  resolve(answer: Readonly<Record<string, unknown>>): void;
  reject(error: Error): void;
}

/** A line of a server's log. */
export interface ForeignLog {
  readonly level: LogLevel;
  readonly message: string;
  readonly data?: unknown;
}

/** How far a call is. */
export interface ForeignProgress {
  readonly progress: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** A question of a call that has been answered without it: where nothing says whose it is, it is another's. */
export class NotItsQuestion extends Error {}

const OVER = 'the call has ended, so no client can answer';

/** What is kept for a call that is slow to take it. */
const MAX_LOGS = 200;
const MAX_ASKS = 16;

/** Questions that servers have asked in this process. */
let questions = 0;

/** One request to a server that may ask and report back, until its answer is here. All that waits for it is bounded. */
export class CallInFlight<T = unknown> {
  /** Its server runs it as a task: whatever request about it fails from then on, making it again would run it twice. */
  isTask = false;
  #asks: ForeignAsk[] = [];
  /** What has not been told to the server yet, of all that it has asked. */
  readonly #untold = new Set<ForeignAsk>();
  #logs: ForeignLog[] = [];
  #lost = 0;
  #progress: ForeignProgress | undefined;
  #outcome: Result<T> | undefined;
  #asking = 0;
  #asked = 0;
  readonly #listeners = new Set<() => void>();

  /** Whether it waits for an answer of ours. */
  get asking(): boolean {
    return this.#asking > 0;
  }

  /** Whether it has been answered. */
  get isOver(): boolean {
    return this.#outcome !== undefined;
  }

  /** Which question of all that servers have asked its last one was; 0 for none. */
  get asked(): number {
    return this.#asked;
  }

  /** The server asks. Rejects when it asks for too much at once. */
  ask(
    kind: ForeignAskKind,
    params: ForeignAsk['params'],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    if (this.#outcome) return Promise.reject(new NotItsQuestion(OVER));
    if (this.#asking >= MAX_ASKS) {
      return Promise.reject(new Error(`too many questions at once: ${MAX_ASKS} at most may wait in a call`));
    }
    this.#asking += 1;
    questions += 1;
    this.#asked = questions;
    const { promise, resolve, reject } = Promise.withResolvers<Readonly<Record<string, unknown>>>();
    const ask = { kind, params, signal, resolve, reject };
    this.#asks.push(ask);
    this.#untold.add(ask);
    this.#changed();
    return promise.finally(() => {
      this.#asking -= 1;
      this.#untold.delete(ask);
    });
  }

  log(line: ForeignLog): void {
    if (this.#logs.length < MAX_LOGS) this.#logs.push(line);
    else this.#lost += 1;
    this.#changed();
  }

  /** The last one counts. */
  progress(progress: ForeignProgress): void {
    this.#progress = progress;
    this.#changed();
  }

  settle(outcome: Result<T>): void {
    this.#outcome ??= outcome;
    this.#changed();
  }

  /** The next thing to answer; waits for it. */
  *nextAsk(): Operation<ForeignAsk> {
    for (;;) {
      const ask = this.#asks.shift();
      if (ask) return ask;
      yield* this.#change();
    }
  }

  /** What it has reported since, then what came of it; waits for either. */
  *next(): Operation<
    { readonly logs: readonly ForeignLog[]; readonly progress: ForeignProgress | undefined } | Result<T>
  > {
    for (;;) {
      if (this.#logs.length > 0 || this.#progress) return this.#reports();
      if (this.#outcome) return this.#outcome;
      yield* this.#change();
    }
  }

  /** Nobody follows it any more. A server hears of whatever it has asked, also of what somebody is being asked. */
  abandon(): void {
    const why = this.#outcome ? new NotItsQuestion(OVER) : new Error('the call was cancelled');
    this.#outcome ??= { ok: false, error: new Error('the call has ended') };
    this.#asks = [];
    for (const { reject } of this.#untold) reject(why);
  }

  #reports() {
    const logs = this.#logs;
    const progress = this.#progress;
    if (this.#lost > 0)
      logs.push({ level: 'warning', message: `${this.#lost} lines of the server’s log were dropped` });
    this.#logs = [];
    this.#lost = 0;
    this.#progress = undefined;
    return { logs, progress };
  }

  #changed(): void {
    for (const listener of [...this.#listeners]) listener();
  }

  #change(): Operation<void> {
    return action<void>((resolve) => {
      const listener = () => resolve();
      this.#listeners.add(listener);
      return () => void this.#listeners.delete(listener);
    });
  }
}

/** The calls of one connection, and which of them a server means when it asks or reports. */
export class CallsInFlight {
  readonly #open = new Set<CallInFlight>();
  readonly #current = new AsyncLocalStorage<CallInFlight>();
  readonly #taskListeners = new Set<(taskId: unknown) => void>();

  begin<T>(call: CallInFlight<T>): void {
    this.#open.add(call as CallInFlight);
  }

  /** Makes a request of a call: what comes on the stream of its answer is known to be of this call. */
  within<T>(call: CallInFlight, request: () => Promise<T>): Promise<T> {
    return this.#current.run(call, request);
  }

  end<T>(call: CallInFlight<T>): void {
    this.#open.delete(call as CallInFlight);
  }

  /** Calls back with each task that the server says something of by itself. Returns what stops it. */
  onTask(listener: (taskId: unknown) => void): () => void {
    this.#taskListeners.add(listener);
    return () => void this.#taskListeners.delete(listener);
  }

  hearOfTask(taskId: unknown): void {
    for (const listener of [...this.#taskListeners]) listener(taskId);
  }

  /** Whether any call is waited for. */
  get isAny(): boolean {
    return this.#open.size > 0;
  }

  /** Asks in the call that the server means; where nothing says which, and that is answered without it, in the next. */
  async ask(
    kind: ForeignAskKind,
    params: ForeignAsk['params'],
    signal: AbortSignal,
  ): Promise<Readonly<Record<string, unknown>>> {
    for (;;) {
      const call = this.find();
      if (!call) throw new Error('no tool of this server is being called, so no client can answer');
      try {
        return await call.ask(kind, params, signal);
      } catch (error) {
        if (!(error instanceof NotItsQuestion) || this.#current.getStore() || signal.aborted || !this.isAny)
          throw error;
      }
    }
  }

  /**
   * The call that the message being handled belongs to; nothing while nobody has called. Where a channel does not say it (stdio
   * before 2026-07-28), it is the one that has waited longest and has no question open; where each has one, it is the one that has asked
   * last: servers ask several things at once, and who waits for an answer asks nothing more.
   */
  find(): CallInFlight | undefined {
    const current = this.#current.getStore();
    if (current && this.#open.has(current)) return current;
    const open = [...this.#open].filter((call) => !call.isOver);
    return open.find((call) => !call.asking) ?? open.sort((a, b) => b.asked - a.asked)[0];
  }
}
