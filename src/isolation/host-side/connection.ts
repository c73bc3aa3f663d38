import type { Result } from 'effection';
import { type IsolatedTool, ToolCrashedError, ToolStuckError } from '../../core/errors/isolation-errors.ts';
import { toError } from '../../core/errors/parley-error.ts';
import { MOST_TEXT, type RealmEnd, type RealmLink } from '../transport/link.ts';
import type { CallMethod, MethodParams, MethodResult, Serving } from '../wire/contract.ts';
import { type RealmMethods, realmMethods } from '../wire/methods/realm-methods.ts';
import { type SessionMethods, sessionMethods } from '../wire/methods/session-methods.ts';
import type { RealmCall, RealmPeer } from '../wire/peers.ts';
import { createRpc, type Rpc } from '../wire/rpc.ts';
import { RealmWatch, type WatchLimits } from './watch.ts';

/** After so many messages that cannot be read, a realm is ended: what it runs on is broken. */
const MOST_UNREADABLE = 3;

type Why = (tool: IsolatedTool) => Error;

/** The end of a line that has the sessions: one realm, what is called there, and a watch over it. */
export class Connection {
  readonly watch: RealmWatch;
  readonly #link: RealmLink;
  readonly #diagnose: (message: string, cause?: unknown) => void;
  readonly #rpc: Rpc<RealmMethods, SessionMethods>;
  #ended = false;
  #retired = false;
  #unreadable = 0;

  constructor(link: RealmLink, limits: WatchLimits, diagnose: (message: string, cause?: unknown) => void) {
    this.#link = link;
    this.#diagnose = diagnose;
    this.#rpc = createRpc({
      mine: sessionMethods,
      theirs: realmMethods,
      numbers: 'odd',
      handlers: { diagnostic: ({ message, error }) => diagnose(message, error) },
      send: (text) => link.send(text),
      fault: diagnose,
    });
    this.watch = new RealmWatch({
      limits,
      ping: () => this.#rpc.peer.request('ping', undefined, () => {}),
      stuck: (silence) => this.endStuck(silence),
      idle: () => this.end((tool) => new ToolCrashedError({ ...tool, how: 'its worker had nothing to do' })),
    });
    link.listen((text) => this.#hear(text));
    void link.ended.then((end) => this.#end((tool) => crashError(tool, end)));
  }

  /** The realm, for what its watch need not look at. */
  get peer(): RealmPeer {
    return this.#rpc.peer;
  }

  /** Whether it takes no more calls. */
  get closed(): boolean {
    return this.#retired || this.#ended;
  }

  /** It is needed until what this returns is called. */
  work(): () => void {
    const done = this.watch.begin();
    return () => {
      done();
      this.#restIfRetired();
    };
  }

  /** Calls the realm. Until the listener has heard, the realm works. */
  request<M extends CallMethod<RealmMethods>>(
    method: M,
    params: MethodParams<RealmMethods, M>,
    listener: (outcome: Result<MethodResult<RealmMethods, M>>) => void,
    serving?: Serving<SessionMethods, RealmMethods>,
  ): RealmCall {
    const done = this.work();
    const hear = (outcome: Result<MethodResult<RealmMethods, M>>) => {
      listener(outcome);
      done();
    };
    return this.#rpc.peer.request(method, params, hear, serving);
  }

  /** The same for who waits for a promise. */
  ask<M extends CallMethod<RealmMethods>>(
    method: M,
    params: MethodParams<RealmMethods, M>,
    serving?: Serving<SessionMethods, RealmMethods>,
  ): Promise<MethodResult<RealmMethods, M>> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: Result<MethodResult<RealmMethods, M>>) =>
        outcome.ok ? resolve(outcome.value) : reject(outcome.error);
      this.request(method, params, settle, serving);
    });
  }

  /** Takes no more calls, and ends with the last of those it has. */
  retire(): void {
    this.#retired = true;
    this.#restIfRetired();
  }

  /** Ends the realm: it gives nobody a turn any more. */
  endStuck(silence: number): void {
    this.end((tool) => new ToolStuckError({ ...tool, silence }));
  }

  /** Ends the realm now, whatever it is doing. */
  end(why: Why): void {
    this.#end(why);
    void this.#link.terminate();
  }

  #restIfRetired(): void {
    if (this.#retired && !this.#ended && !this.watch.busy) {
      this.end((tool) => new ToolCrashedError({ ...tool, how: 'another version has taken its place' }));
    }
  }

  #hear(text: unknown): void {
    if (this.#ended) return;
    // First: what comes of it may ask for the next sign of life.
    this.watch.heard();
    if (typeof text === 'string' && text.length > MOST_TEXT) {
      const how = `it sent ${text.length} characters at once, and ${MOST_TEXT} are the most`;
      this.end((tool) => new ToolCrashedError({ ...tool, how }));
      return;
    }
    try {
      this.#rpc.hear(text);
    } catch (error) {
      const problem = toError(error);
      this.#diagnose('a tool sent what is no message', problem);
      this.#unreadable += 1;
      if (this.#unreadable < MOST_UNREADABLE) return;
      this.end(
        (tool) =>
          new ToolCrashedError({ ...tool, how: `its worker sends what cannot be read (${problem.message})` }),
      );
    }
  }

  #end(why: Why): void {
    if (this.#ended) return;
    this.#ended = true;
    this.watch.close();
    this.#rpc.end(new RealmEndedError(why));
  }
}

/** The realm has ended; which tool suffers from it is for the receiver to say. */
export class RealmEndedError extends Error {
  readonly #why: Why;

  constructor(why: Why) {
    super('the realm has ended');
    this.#why = why;
  }

  /** What was thrown, as an error of this tool where its realm has ended. */
  static for(tool: IsolatedTool, thrown: unknown): unknown {
    return thrown instanceof RealmEndedError ? thrown.#why(tool) : thrown;
  }
}

function crashError(tool: IsolatedTool, end: RealmEnd): Error {
  if (end.kind === 'exited')
    return new ToolCrashedError({ ...tool, how: `it called process.exit(${end.code})` });
  if (end.kind === 'terminated') return new ToolCrashedError({ ...tool, how: 'its worker was ended' });
  if (end.kind === 'lost') return new ToolCrashedError({ ...tool, how: end.reason });
  const error = toError(end.error);
  return new ToolCrashedError({
    ...tool,
    how: `an error that nothing caught: ${error.name}: ${error.message}`,
    cause: error,
  });
}
