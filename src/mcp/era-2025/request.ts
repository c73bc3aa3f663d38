import type { Operation } from 'effection';
import type { RequiredPage } from '../../core/errors/elicit-errors.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities, LogLevel } from '../../core/tool/context.ts';
import type { Client } from '../../runtime/session/client.ts';
import type { ClientPages } from '../apps/connection-apps.ts';
import type { Caller } from '../caller.ts';
import { type ServerCalls, serveCall } from '../era-2026/serve-call.ts';
import type { ServerParts } from '../host.ts';
import { AwaitedRequest } from '../request/awaited-request.ts';
import { claimsOf } from '../request/claims.ts';
import type { RequestedCall, Result } from '../request/open-call.ts';
import type { Reporter } from '../request/reporter.ts';
import { WireCall } from '../request/wire-call.ts';
import type { WireRequest } from '../request/wire-request.ts';
import { PAGE_COMPLETED } from '../sent-pages.ts';
import { isTask2025 } from '../tasks/is-task.ts';
import type { Task } from '../tasks/task.ts';
import { encodeTask2025, relatedTo, wantedTtl } from '../tasks/wire-2025.ts';
import type { CallTrace } from '../trace/call-trace.ts';
import { type ClientWords, clientName } from '../wire/client-words.ts';
import { type ProgressToken, progressTokenOf } from '../wire/meta.ts';
import type { RpcId, RpcRequest } from '../wire/rpc/json-rpc.ts';
import type { AskedPeer } from '../wire/rpc/peer-errors.ts';
import { createClient2025, type Peer } from './client.ts';
import type { Questions, Send } from './questions.ts';

type Params = Readonly<Record<string, unknown>>;

/** What the requests of one connection share. */
export interface RequestConnection {
  readonly host: ServerParts;
  readonly caller: Caller;
  readonly calls: ServerCalls;
  readonly apps: ClientPages | undefined;
  /** Methods of the connection itself. */
  readonly own: NonNullable<WireRequest['own']>;
  /** What the client says of itself. */
  readonly words: ClientWords;
  /** What of that it can do. */
  readonly capabilities: ClientCapabilities;
  /** The least severe level that the client wants to read. */
  readonly level: LogLevel;
  readonly questions: Questions;
  readonly send: Send;
}

/** One request of a 2025-era client, and the client as whoever serves it asks and tells it. */
export class Request2025 implements WireRequest, Peer {
  readonly era = '2025';
  readonly id: RpcRequest['id'];
  readonly method: string;
  readonly params: Params;
  readonly #connection: RequestConnection;
  readonly awaited = new AwaitedRequest();
  /** The request whose stream its notifications and questions go on; none for the connection's own. */
  readonly #of: RpcId | undefined;

  /** @param isAsked whether the client made it: what belongs to it goes on the stream of its answer */
  constructor(
    connection: RequestConnection,
    { id, method, params = {} }: Pick<RpcRequest, 'id' | 'method' | 'params'>,
    isAsked = true,
  ) {
    this.#connection = connection;
    this.id = id;
    this.method = method;
    this.params = params;
    this.#of = isAsked ? id : undefined;
  }

  get caller(): Caller {
    return this.#connection.caller;
  }

  get name(): string {
    return clientName(this.clientInfo);
  }

  get clientInfo(): unknown {
    return this.#connection.words.info;
  }

  get apps(): ClientPages | undefined {
    return this.#connection.apps;
  }

  get own(): NonNullable<WireRequest['own']> {
    return this.#connection.own;
  }

  get progressToken(): ProgressToken | undefined {
    return progressTokenOf(this.params._meta);
  }

  get takesTasks(): boolean {
    return isObject(this.params.task);
  }

  capabilities(): ClientCapabilities {
    return this.#connection.capabilities;
  }

  logLevel(): LogLevel {
    return this.#connection.level;
  }

  notify(method: string, payload: Params): Promise<void> {
    return this.#connection.send({ jsonrpc: '2.0', method, params: this.#about(payload) }, this.#of);
  }

  notifyLater(method: string, params: Params): Promise<void> {
    return this.#connection.send({ jsonrpc: '2.0', method, params });
  }

  ask(kind: AskedPeer['kind'], payload: Params): Operation<unknown> {
    const { questions, host } = this.#connection;
    const params = this.#about(payload);
    return questions.ask({ kind, params, of: this.#of, client: this.name, timeout: host.askTimeout });
  }

  client(reporter: Reporter, trace: CallTrace): Client {
    return createClient2025(this, reporter, trace, this.#connection.host.sentPages);
  }

  requirePages(pages: readonly RequiredPage[]): void {
    const { sentPages } = this.#connection.host;
    for (const { elicitationId } of pages) {
      sentPages.sent(elicitationId, () => this.notifyLater(PAGE_COMPLETED, { elicitationId }));
    }
  }

  *run(call: RequestedCall): Operation<Result> {
    const { host, calls } = this.#connection;
    const { tasks } = host;
    if (isTask2025(host, call.callable, this.params) && tasks) {
      const answer = (task: Task) => ({ task: encodeTask2025(task, tasks.pollInterval) });
      const brought = { state: undefined, responses: {} };
      return yield* tasks.begin({ call, era: '2025', brought, ttl: wantedTtl(this.params.task), answer });
    }
    const offered = yield* calls.interrupted?.offer(call, claimsOf(this).program?.name, (callable) =>
      serveCall(calls, new WireCall(host, this, callable), undefined),
    ) ?? [];
    if (offered) return offered;
    return yield* serveCall(calls, call, undefined);
  }

  /** What is said while a client waits for what comes of a task is about that. */
  #about(payload: Params): Params {
    return this.method === 'tasks/result' ? relatedTo(String(this.params.taskId), payload) : payload;
  }
}
