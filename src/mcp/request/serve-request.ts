import type { Operation } from 'effection';
import type { RequiredPage } from '../../core/errors/elicit-errors.ts';
import { errorData } from '../../core/errors/error-data.ts';
import { isParleyError } from '../../core/errors/errors.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { AnyTool } from '../../core/tool/tool.ts';
import type { CreateSession, ResumeSession } from '../../runtime/manager/manager.ts';
import type { Ask } from '../../runtime/session/ask.ts';
import { canAnswer } from '../../runtime/session/capabilities.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { EndEvent, ErrorData } from '../../runtime/session/events.ts';
import type { Session } from '../../runtime/session/session.ts';
import type { Caller } from '../caller.ts';
import { methodOf, ttlOf, unknownMethod } from '../catalog/methods.ts';
import type { ServerParts } from '../host.ts';
import { needsPages, type Publisher, publishedClient, withForms } from '../published/published-client.ts';
import { serveTask, type TaskClients } from '../tasks/serve-task.ts';
import { CallTrace } from '../trace/call-trace.ts';
import { lackingError } from '../wire/capabilities.ts';
import type { Era } from '../wire/era.ts';
import { requiredPages } from '../wire/required-pages.ts';
import { isObject } from '../wire/rpc/json-rpc.ts';
import { invalidParams, RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { textLinksFor } from '../wire/text-links.ts';
import { claimsOf } from './claims.ts';
import { disconnect } from './disconnect.ts';
import { keepAlive } from './heartbeat.ts';
import type { Callable, OpenCall, Result } from './open-call.ts';
import { createReporter, type NotificationPort, type Reporter } from './reporter.ts';

type Params = Readonly<Record<string, unknown>>;

/** Why a request ended before its answer. */
export interface RequestEnding {
  readonly why: string;
  /** Nobody decided it: the connection broke off. */
  readonly gone?: true;
}

/** A request, as the server of its era hands it on. */
export interface WireRequest extends NotificationPort {
  readonly era: Era;
  readonly caller: Caller;
  readonly method: string;
  readonly params: Params;
  /** The client at the other end, for messages: `mcp client "x"`. */
  readonly name: string;
  /** What the client says it is. */
  readonly clientInfo: unknown;
  capabilities(): ClientCapabilities;
  /** Aborts when the client cancels, or is gone. */
  readonly signal: AbortSignal;
  /** Calls back at once or once when that aborts, where a signal costs more than most requests. Returns what stops it. */
  onEnd?(listener: () => void): () => void;
  /** Which of them it was. */
  ending(): RequestEnding;
  /** The client at the other end as the client of a session. */
  client(reporter: Reporter, trace: CallTrace): Client;
  /** Where there is an error that sends the person to pages: the client is about to get it. */
  requirePages?(pages: readonly RequiredPage[]): void;
  /** What else whoever would answer a call of a tool can do. */
  adds?(has: ClientCapabilities, tool: AnyTool): ClientCapabilities;
  /** More ways to answer this request's call of a tool, over whoever answers it. */
  over?(client: Client, tool: AnyTool): Client;
  /** Whether its call of a tool is asked on pages of this process, and so stays here. */
  stays?(tool: AnyTool): boolean;
  /** Whether a task is an answer to it (2026), or is asked for (2025). */
  readonly takesTasks: boolean;
  /** The answers that it carries, by key (2026). */
  responses?(): unknown;
  /** Asks the client at the other end a question as it is on the wire (2025), under this id; nothing where it cannot be asked that. */
  ask?(question: unknown, id: string): Operation<unknown> | undefined;
  /** Takes a call as far as this request takes it. */
  run(call: RequestedCall): Operation<Result>;
  /** Methods of the connection itself. */
  readonly own?: Readonly<Record<string, (params: Params) => Result>>;
}

/** Answers a request of either era. @throws `RpcError` */
export async function serveRequest(host: ServerParts, request: WireRequest): Promise<Result> {
  const { caller, era, params } = request;
  const method = methodOf(host, request.method);
  if (method.capability === 'tasks')
    return await host.run(() => serveTask(host, request, clientsOf(host, request)));
  const result = method.call
    ? await call(host, request, method.call(host, caller, era, params))
    : await plain(host, request, method);
  const ttlMs =
    era === '2026' && (result.resultType ?? 'complete') === 'complete' ? ttlOf(host, method) : undefined;
  return ttlMs === undefined ? result : { ...result, ttlMs, cacheScope: 'private' };
}

async function plain(
  host: ServerParts,
  request: WireRequest,
  method: ReturnType<typeof methodOf>,
): Promise<Result> {
  const { caller, era, params, name, own } = request;
  if (!method.answer) {
    const answer = own?.[request.method];
    if (!answer) throw unknownMethod(request.method);
    return answer(params);
  }
  // Who would answer a call that nobody has made yet.
  const wire: Client = { name, capabilities: () => request.capabilities(), can: () => false };
  const has = answeringFor(host, request, wire).capabilities();
  const capabilities = (tool: AnyTool) => request.adds?.(has, tool) ?? has;
  return await method.answer(host, { caller, era, params, capabilities });
}

async function call(host: ServerParts, request: WireRequest, callable: Callable): Promise<Result> {
  try {
    return await host.run(() => request.run(new RequestedCall(host, request, callable)));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    // Who asks for a task reads a task, or an error.
    if (request.era === '2025' && request.takesTasks) throw invalidParams(textIn(error.result));
    return error.result;
  }
}

function textIn({ content }: Result): string {
  const [first] = Array.isArray(content) ? content : [];
  return isObject(first) ? String(first.text) : 'the call was refused';
}

/** Who is asked about tasks that a request is about. */
function clientsOf(host: ServerParts, request: WireRequest): TaskClients {
  return {
    absent: absentClient(host, request),
    present: (callable) => new RequestedCall(host, request, callable).rest,
  };
}

/** Who answers a caller's calls while no request of its client is open: what is for pages of ours waits until the person can be sent. */
function absentClient(host: ServerParts, request: WireRequest): Client {
  const capabilities = request.capabilities();
  const absent: Client = {
    name: request.name,
    capabilities: () => capabilities,
    can: (ask) => canAnswer(capabilities, ask),
  };
  const answering = request.caller.client?.(absent) ?? absent;
  return publisherFor(host, request, answering) ? withForms(answering) : answering;
}

/** Who answers a caller's calls: whom it has for that, with pages of ours where its client has no forms. */
function answeringFor(host: ServerParts, request: WireRequest, wire: Client): Client {
  const answering = request.caller.client?.(wire) ?? wire;
  const publisher = publisherFor(host, request, answering);
  return publisher ? publishedClient(answering, publisher) : answering;
}

/** Where questions are published that whoever answers cannot be asked otherwise. */
function publisherFor(
  { appPages: pages }: ServerParts,
  { caller, era }: WireRequest,
  answering: Client,
): Publisher | undefined {
  const { published, name: principal } = caller;
  // In the later era a question is the answer to a request: its pages are over whoever answers that.
  if (!published?.origin() || !pages || era !== '2025' || !needsPages(answering.capabilities()))
    return undefined;
  return { published, pages, principal };
}

/** A call that a request asks for, or goes on with. */
export class RequestedCall implements OpenCall {
  readonly callable: Callable;
  /** Who answers it: the client at the other end, or whom the caller has for it. */
  readonly client: Client;
  /** Who answers it where nothing is laid over them. */
  readonly rest: Client;
  /** The trace that it is a part of. */
  readonly trace: CallTrace;
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
    this.rest = answeringFor(host, request, wire);
    this.client = request.over?.(this.rest, callable.tool) ?? this.rest;
  }

  /** Who answers it once the request is answered. */
  get absent(): Client {
    return absentClient(this.#host, this.#request);
  }

  get stays(): boolean {
    return this.#request.stays?.(this.callable.tool) ?? false;
  }

  get principal(): string {
    return this.#request.caller.name;
  }

  /** Aborts when the client cancels, or is gone. */
  get signal(): AbortSignal {
    return this.#request.signal;
  }

  /** Begins it. @throws `RpcError`, and what `serveRequest` answers a call with that cannot begin */
  *create(options: Partial<Pick<CreateSession, 'conversation' | 'retain' | 'keep'>>): Operation<Session> {
    const { callable, client, principal } = this;
    return yield* this.#start(() =>
      this.#host.manager.create({
        ...options,
        tool: callable.served,
        params: callable.params,
        capabilities: client.capabilities(),
        principal,
        claims: claimsOf(this.#request),
        ...(this.#takesTogether ? { together: true } : {}),
        ...(this.#mayBeTask ? { answeredBeside: true } : {}),
      }),
    );
  }

  get #mayBeTask(): boolean {
    const { era, takesTasks } = this.#request;
    return this.callable.tool.def.task !== undefined && (era === '2026' || takesTasks);
  }

  /** In a task of 2026-07-28 questions stand side by side, and are answered one by one; nobody here takes them first. */
  get #takesTogether(): boolean {
    const { client } = this;
    return this.#request.era === '2026' && this.#mayBeTask && !client.elicit && !client.pick;
  }

  /** Takes it up from its journal. @throws the same, and `SessionExistsError` where it runs already */
  *resume(options: Pick<ResumeSession, 'journal' | 'sink'>): Operation<Session> {
    const { callable, client } = this;
    return yield* this.#start(() =>
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
      throw new Refused(this.callable.refuse(data));
    }
  }

  /** Runs an operation on its session. Meanwhile the client hears that it lives, and may cancel it. */
  *attended<T>(session: Session, op: () => Operation<T>): Operation<T> {
    // Most calls are over by now, and there is nobody to tell and nothing to cancel.
    if (session.ended()) return yield* op();
    const request = this.#request;
    const stopBeating = request.progressToken === undefined ? undefined : this.#keepAlive(session);
    const stopListening = request.onEnd
      ? request.onEnd(() => this.#abort(session))
      : onAbort(request.signal, () => this.#abort(session));
    try {
      return yield* op();
    } finally {
      stopListening();
      stopBeating?.();
    }
  }

  #abort(session: Session): void {
    const host = this.#host;
    const { why, gone } = this.#request.ending();
    const down = host.run(() => (gone ? disconnect(session, this.#request.name, why) : session.abort(why)));
    down.catch((cause) => host.report('a cancelled call did not end well', cause));
  }

  #keepAlive(session: Session): () => void {
    return keepAlive(session, {
      every: this.#host.heartbeat,
      // A client that is asked itself knows.
      tellsAtOnce: (ask) => ask.kind === 'elicit' && this.#whoAnswers(ask) !== this.#request.name,
      beat: () => this.#reporter.heartbeat('waiting for an answer'),
    });
  }

  #whoAnswers(ask: Ask): string | undefined {
    return (this.client.pick ? this.client.pick(ask) : this.client)?.name;
  }

  /** What its end is answered with. @throws `RpcError` */
  finish(end: EndEvent): Result {
    if (end.type === 'error') {
      this.#refuseLacking(end.error);
      this.#requirePages(end.error);
    }
    return textLinksFor(this.#request.clientInfo, this.callable.finish(end));
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

/** Calls back when a signal aborts, or has. Returns what stops it. */
function onAbort(signal: AbortSignal, listener: () => void): () => void {
  signal.addEventListener('abort', listener, { once: true });
  if (signal.aborted) listener();
  return () => signal.removeEventListener('abort', listener);
}

/** A call that could not begin, with what the request is answered with all the same. */
class Refused extends Error {
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
