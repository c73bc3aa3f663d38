import type { Operation, Result } from 'effection';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { JournalLine } from '../../runtime/journal/lines.ts';
import { type Delivery, Replay, type ReplayedCall } from '../../runtime/journal/replay/replay.ts';
import type { Doing } from '../../runtime/journal/replay/replay-words.ts';
import { wait } from '../../runtime/taskless/wait.ts';
import type { TimeSource } from '../../runtime/time/machine-clock.ts';
import type { CallMethod, Handlers, MethodParams, MethodResult } from '../wire/contract.ts';
import type { RealmMethods } from '../wire/methods/realm-methods.ts';
import type { SessionMethods } from '../wire/methods/session-methods.ts';
import type { SessionPeer } from '../wire/peers.ts';

/** A tool that comes to nothing for so long, in milliseconds, is the session's to judge. */
const PATIENCE = 1_000;

/** What the code of a call waits for, as its journal knows it. */
export interface Recalled<T> {
  readonly doing: Exclude<Doing, { t: 'withdraw' }>;
  /** What a line says came of it. @throws where that does not fit any more */
  read(line: Delivery): Result<T> | Promise<Result<T>>;
  /** The session was asked, and then told that nobody waits any more. */
  cancelled?(id: number): void;
}

/** What of the call it is that goes through its journal. */
export interface CallAhead {
  readonly time: TimeSource;
  readonly session: SessionPeer;
  /** Capabilities changed then. */
  recall(capabilities: ClientCapabilities | undefined): void;
}

/** What waits for a line. */
interface Pending {
  give(line: Delivery): void | Promise<void>;
  /** Asks the session. */
  ask(): void;
}

/**
 * Goes through the journal of a call where its tool is, so that nobody is asked across the line for what is known. It comes as far
 * as the tool does strictly the same. Then it says how far that is, and everything still open, and all that comes, is asked of the
 * session, which judges it: of another question, of an answer that does not fit any more, of a tool that stands still.
 */
export class Ahead implements ReplayedCall {
  /** Steps that can be taken back. */
  readonly undos: string[] = [];
  readonly #call: CallAhead;
  readonly #replay: Replay;
  readonly #length: number;
  readonly #pending = new Map<string, Pending>();
  #over = false;

  constructor(call: CallAhead, lines: readonly JournalLine[]) {
    this.#call = call;
    this.#length = lines.length;
    const counted = lines.map((line, index) => ({ line, index }));
    this.#replay = new Replay(this, counted, 'strict', PATIENCE);
  }

  /** Whether what the tool does now is in the lines. */
  get repeats(): boolean {
    return !this.#over && this.#replay.silent;
  }

  get time(): TimeSource {
    return this.#call.time;
  }

  /** Begins; after the tool's code has. */
  start(): void {
    if (!this.#over) this.#replay.start();
  }

  /** Calls the session within this call, unless the journal has what comes of it. */
  wait<M extends CallMethod<SessionMethods>>(
    method: M,
    params: MethodParams<SessionMethods, M>,
    recalled: Recalled<MethodResult<SessionMethods, M>>,
    handlers: Handlers<RealmMethods, SessionMethods> = {},
  ): Operation<MethodResult<SessionMethods, M>> {
    return wait<MethodResult<SessionMethods, M>>((resolve, reject, place) => {
      let settled = false;
      let made: { cancel(): void; readonly id: number | undefined } | undefined;
      const settle = (outcome: Result<MethodResult<SessionMethods, M>>) => {
        settled = true;
        if (outcome.ok) resolve(outcome.value);
        else reject(outcome.error);
      };
      const ask = () => {
        made = this.#call.session.request(method, params, settle, { handlers, ...place });
      };
      const id = this.#opened(recalled.doing);
      if (id === undefined) {
        ask();
      } else {
        const given = (outcome: Result<MethodResult<SessionMethods, M>>) => {
          if (this.#taken(id)) settle(outcome);
        };
        const give = (line: Delivery) => {
          const outcome = recalled.read(line);
          return outcome instanceof Promise ? outcome.then(given) : given(outcome);
        };
        this.#pending.set(id, { give, ask });
      }
      return () => {
        if (settled) return;
        if (id !== undefined && !made) this.#withdrawn(id);
        made?.cancel();
        if (made?.id !== undefined) recalled.cancelled?.(made.id);
      };
    }, method);
  }

  /** The session takes over: what is still open is asked of it, in the order in which it opened. */
  handOver(place = this.#replay.place): void {
    if (this.#over) return;
    this.stop();
    this.#call.session.tell('passed', { ...place, undos: [...this.undos] });
    for (const { ask } of this.#pending.values()) ask();
    this.#pending.clear();
  }

  /** The call is halted: nobody wants to know how far it came. */
  stop(): void {
    this.#over = true;
    this.#replay.stop();
  }

  // What the replay uses.

  deliver(line: Delivery): void | Promise<void> {
    return this.#pending.get(line.id)?.give(line);
  }

  note(line: JournalLine): void {
    if (line.t === 'capabilities') this.#call.recall(line.capabilities);
  }

  diverged(): void {
    this.handOver();
  }

  done(): void {
    this.handOver();
  }

  /** The id of what the tool opens, where it has opened it before; else it is for the session. */
  #opened(doing: Recalled<unknown>['doing']): string | undefined {
    if (this.#over) return undefined;
    const line = this.#replay.match(doing);
    if (line !== undefined && line !== 'diverged') return line.id;
    this.handOver();
    return undefined;
  }

  /** What came of it is given now; not where that is for the session, or nobody waits any more. */
  #taken(id: string): boolean {
    if (!this.#pending.delete(id)) return false;
    // What follows from the last line is new.
    if (!this.#replay.silent) this.handOver({ given: this.#length, matched: this.#length });
    return true;
  }

  /** The tool let go of what had no outcome. */
  #withdrawn(id: string): void {
    if (this.#over) return;
    const line = this.#replay.match({ t: 'withdraw', id });
    // Asked of the session first, which sees it go then.
    if (line === undefined || line === 'diverged') this.handOver();
    this.#pending.delete(id);
  }
}
