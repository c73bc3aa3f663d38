import type { Operation } from 'effection';
import { errorData } from '../../core/errors/data/error-data.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import { Leaving } from '../../runtime/drive/leaving.ts';
import type { ResumeSession } from '../../runtime/manager/manager.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import { withPage } from '../apps/paged-client.ts';
import type { ServerParts } from '../host.ts';
import { CallTrace } from '../trace/call-trace.ts';
import { resultFor } from '../wire/blocks-for.ts';
import { lackingError } from '../wire/capabilities.ts';
import { requiredPages } from '../wire/required-pages.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { claimsOf } from './claims.ts';
import { disconnect } from './disconnect.ts';
import { keepAlive } from './heartbeat.ts';
import type { Callable, OpenCall, RequestedCall, Result } from './open-call.ts';
import { createReporter, type Reporter } from './reporter.ts';
import { absentClient, answeringFor, besideApps } from './who-answers.ts';
import type { WireRequest } from './wire-request.ts';

/** The call of a request of either era. */
export class WireCall implements RequestedCall {
  readonly callable: Callable;
  readonly client: Client;
  readonly rest: Client;
  readonly trace: CallTrace;
  readonly leaving = new Leaving();
  readonly isOnPage: boolean;
  readonly hasResultTool: boolean;
  readonly #hasPage: boolean;
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
    const tell = (message: string) => this.#reporter.heartbeat(message);
    const { client, surfaces } = answeringFor(host, request, wire, this.#unasked, tell);
    this.rest = client;
    this.isOnPage = surfaces[0] === 'page';
    this.#hasPage = surfaces.includes('page');
    this.hasResultTool = besideApps(surfaces) === 'page';
    this.client = this.isOnPage ? client : (request.over?.(client, callable.tool) ?? client);
  }

  get absent(): Client {
    return absentClient(this.#host, this.#request);
  }

  get stays(): boolean {
    return this.#request.stays?.(this.callable.tool) ?? false;
  }

  get principal(): string {
    return this.#request.caller.name;
  }

  get isShared(): boolean {
    return this.#request.caller.shared === true;
  }

  get onPage(): Client | undefined {
    const { early } = this.#host;
    return this.#hasPage && early ? withPage(this.rest, early.present(this.rest.name)) : undefined;
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

  get attachPage(): RequestedCall['attachPage'] {
    const { early } = this.#host;
    if (!early || this.#request.caller.client) return undefined;
    const tell = (message: string) => this.#reporter.heartbeat(message);
    return (calls, session) => early.attach(this.#request, this, calls, session, tell);
  }

  isAskedOnPage({ id }: Ask): boolean {
    if (this.#hasPage) this.#unasked.add(id);
    return this.#hasPage;
  }

  *left(session: Session, isKept: boolean): Operation<void> {
    const { name } = this.#request;
    const { why, gone } = this.#request.awaited.ending;
    if (gone === 'client' || (gone && !isKept)) yield* disconnect(session, name, why);
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
        !this.isOnPage && ask.kind === 'elicit' && this.#whoAnswers(ask)?.name !== this.#request.name,
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
