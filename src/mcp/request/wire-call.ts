import type { Operation } from 'effection';
import type { CallBeginning, Calls } from '../../calls/port.ts';
import { errorData } from '../../core/errors/data/error-data.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import { Leaving } from '../../runtime/drive/leaving.ts';
import type { ResumeSession } from '../../runtime/manager/manager.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { ServerParts } from '../host.ts';
import type { LinkedPages } from '../published/linked-pages.ts';
import { CallTrace } from '../trace/call-trace.ts';
import { resultFor } from '../wire/blocks-for.ts';
import { lackingError } from '../wire/capabilities.ts';
import { requiredPages } from '../wire/required-pages.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { attendPages } from './call-pages.ts';
import { claimsOf } from './claims.ts';
import { disconnect } from './disconnect.ts';
import { keepAlive } from './heartbeat.ts';
import type { Callable, CallPages, OpenCall, RequestedCall, Result } from './open-call.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { absentClient, answeringFor, besideApps, declaresQuestions, type WhoAnswers } from './who-answers.ts';
import type { WireRequest } from './wire-request.ts';

/** The call of a request of either era. */
export class WireCall implements RequestedCall {
  readonly callable: Callable;
  readonly client: Client;
  readonly rest: Client;
  readonly trace: CallTrace;
  readonly leaving = new Leaving();
  takesUp: CallBeginning['takesUp'];
  readonly #who: WhoAnswers;
  readonly #tell = (message: string): void => this.#reporter.heartbeat(message);
  readonly #unasked = new Set<string>();
  readonly #host: ServerParts;
  readonly #request: WireRequest;
  readonly #reporter: Reporter;

  constructor(host: ServerParts, request: WireRequest, callable: Callable) {
    this.#host = host;
    this.#request = request;
    this.callable = callable;
    this.trace = new CallTrace(
      { method: callable.method, name: callable.tool.name },
      request.params._meta,
      host.spans,
    );
    this.#reporter = createReporter(callable.tool.name, request);
    const wire = request.client(this.#reporter, this.trace);
    this.#who = answeringFor(host, request, callable, wire, this.#unasked, this.#tell);
    this.client = this.#who.client;
    this.rest = this.#who.rest;
  }

  get absent(): Client {
    return absentClient(this.#host, this.#request);
  }

  /** Its pages are in the process that drew them. What is durable and says of no question that it asks it is sent to none before it asks. */
  get stays(): boolean {
    const { era, caller } = this.#request;
    const { tool } = this.callable;
    if (era === '2026') return this.links !== undefined && (declaresQuestions(tool) || !tool.def.durable);
    return this.#who.stranded !== undefined || caller.apps !== undefined;
  }

  get links(): LinkedPages | undefined {
    return this.#who.links;
  }

  get principal(): string {
    return this.#request.caller.name;
  }

  get isShared(): boolean {
    return this.#request.caller.shared === true;
  }

  get hasResultTool(): boolean {
    return besideApps(this.#who.surfaces) === 'page';
  }

  get clientInfo(): unknown {
    return this.#request.clientInfo;
  }

  get signal(): AbortSignal {
    return this.#request.awaited.signal;
  }

  create(options: Parameters<OpenCall['create']>[0]): Operation<Session> {
    const { callable, client, principal } = this;
    return this.#start(() =>
      this.#host.create({
        ...options,
        tool: callable.served,
        params: callable.params,
        capabilities: client.capabilities(),
        principal,
        claims: claimsOf(this.#request),
        ...(this.#takesTogether ? { together: true } : {}),
      }),
    );
  }

  /** In a task of 2026-07-28 questions stand side by side, and are answered one by one; nobody here takes them first. */
  get #takesTogether(): boolean {
    const { client, callable } = this;
    return (
      this.#request.era === '2026' && callable.tool.def.task !== undefined && !client.elicit && !client.pick
    );
  }

  resume(options: Pick<ResumeSession, 'journal' | 'sink'>): Operation<Session> {
    const { callable, client } = this;
    return this.#start(() =>
      this.#host.manager.resume({
        ...options,
        tool: callable.served,
        capabilities: client.capabilities(),
      }),
    );
  }

  *#start(op: () => Operation<Session>): Operation<Session> {
    try {
      return yield* this.trace.begin(op);
    } catch (error) {
      if (isParleyError(error, 'SESSION_LIMIT')) throw new RpcError(RPC.refused, error.message);
      if (isParleyError(error, 'SESSION_EXISTS') || isOfStore(error)) throw error;
      const data = errorData(error);
      this.#refuseLacking(data);
      throw new RefusedCall(this.callable.refuse(data));
    }
  }

  *attended<T>(session: Session, op: () => Operation<T>): Operation<T> {
    // Most calls are over by now, and there is nobody to tell and nothing to cancel.
    if (session.ended()) return yield* op();
    const request = this.#request;
    const stopBeating = request.progressToken === undefined ? undefined : this.#keepAlive(session);
    const { awaited } = request;
    const stopListening = awaited.onEnd(() =>
      awaited.ending.gone ? this.leaving.leave() : this.#abort(session),
    );
    try {
      return yield* op();
    } finally {
      stopListening();
      stopBeating?.();
    }
  }

  attendPages(calls: Calls, session: Session, isLast: boolean): Operation<CallPages | undefined> {
    const parts = { host: this.#host, request: this.#request, who: this.#who, tell: this.#tell };
    return attendPages(parts, this, { calls, session, isLast });
  }

  isAskedOnPage({ id }: Ask): boolean {
    const isThere = this.#who.surfaces.includes('page');
    if (isThere) this.#unasked.add(id);
    return isThere;
  }

  *left(session: Session, survives: Parameters<RequestedCall['left']>[1]): Operation<void> {
    const { name } = this.#request;
    const { why, gone } = this.#request.awaited.ending;
    if (gone && gone !== survives) yield* disconnect(session, name, why);
  }

  #abort(session: Session): void {
    const host = this.#host;
    const { why } = this.#request.awaited.ending;
    const down = host.run(() => session.abort(why));
    down.catch((cause) => host.report('a cancelled call did not end well', cause));
  }

  #keepAlive(session: Session): () => void {
    return keepAlive(session, {
      every: this.#host.heartbeat,
      // A client that is asked itself knows; a page says where it is once that is known.
      tellsAtOnce: (ask) =>
        this.#who.surfaces[0] !== 'page' &&
        ask.kind === 'elicit' &&
        this.#whoAnswers(ask)?.name !== this.#request.name,
      beat: (ask) => this.#reporter.heartbeat(ask && this.#waitsFor(ask)),
    });
  }

  /** For the person, who sees it where they have called the tool. */
  #waitsFor(ask: Ask): string | undefined {
    if (ask.kind === 'roots') return undefined;
    if (ask.kind === 'sample') return 'Waiting for the model';
    return this.#whoAnswers(ask)?.waiting ?? 'Waiting for your answer';
  }

  #whoAnswers(ask: Ask): Client | undefined {
    return this.client.pick ? this.client.pick(ask) : this.client;
  }

  finish(end: EndEvent): Result {
    if (end.type === 'error') {
      this.#refuseLacking(end.error);
      this.#requirePages(end.error);
    }
    return resultFor(this.#request.clientInfo, this.callable.finish(end));
  }

  /** A tool that cannot go on before the person has been to a page: 2025 has an error for that. */
  #requirePages(error: ErrorData): void {
    const request = this.#request;
    if (error.code !== 'URL_ELICITATION_REQUIRED' || !request.requirePages) return;
    if (!request.capabilities().elicitation?.url) return;
    const pages = requiredPages(error.details?.elicitations);
    if (pages.length === 0) return;
    request.requirePages(pages);
    const elicitations = pages.map((page) => ({ mode: 'url', ...page }));
    throw new RpcError(RPC.urlElicitationRequired, error.message, { elicitations });
  }

  /** A tool that cannot go on without what the client lacks: 2026 has words of its own for that. */
  #refuseLacking(error: ErrorData): void {
    const lacking = lackingError(
      this.#request.era,
      this.callable.tool.def,
      error,
      this.client.capabilities(),
    );
    if (lacking) throw lacking;
  }
}

/** A call that could not begin, with what the request is answered with all the same. */
export class RefusedCall extends Error {
  readonly result: Result;

  constructor(result: Result) {
    super('the call was refused');
    this.result = result;
  }
}

/** What a store says is for who looks after the server. */
function isOfStore(error: unknown): boolean {
  return isParleyError(error) && (error.code.startsWith('STORE_') || error.code === 'CLAIM_LOST');
}
