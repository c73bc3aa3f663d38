import type { ClientCapabilities, LogLevel } from '../../core/tool/context.ts';
import type { ClientPages } from '../apps/connection-apps.ts';
import { showsApps } from '../apps/serve-apps.ts';
import { type ConnectionPages, serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { declaredCapabilities, uriOf } from '../catalog/methods.ts';
import type { ServerCalls } from '../era-2026/serve-call.ts';
import type { ServerParts } from '../host.ts';
import { cancelledBy, GONE } from '../request/awaited-request.ts';
import type { Result } from '../request/open-call.ts';
import { answerTo, serveRequest } from '../request/serve-request.ts';
import { ToldTasks } from '../tasks/telling/told-tasks.ts';
import { TASK_STATUS_2025 } from '../tasks/wire-2025.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { type ClientWords, readHandshake } from '../wire/client-words.ts';
import { logLevelOf } from '../wire/meta.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage, type RpcRequest } from '../wire/rpc/json-rpc.ts';
import { invalidParams, RPC, RpcError, shortened } from '../wire/rpc/rpc-error.ts';
import { PolledTasks } from './polled-tasks.ts';
import { Questions, type Send } from './questions.ts';
import { Request2025, type RequestConnection } from './request.ts';

/** Where the messages of a connection go. */
export interface Outlet {
  readonly send: Send;
  /** This request gets no answer: it was cancelled. */
  drop(id: RpcId): void;
}

/** Most resources that one client may be subscribed to. */
const MAX_SUBSCRIPTIONS = 1000;

/** A client of the 2025 era, from its handshake until it goes. */
export class Connection2025 implements RequestConnection {
  readonly host: ServerParts;
  readonly calls: ServerCalls;
  readonly caller: Caller;
  readonly apps: ClientPages | undefined;
  readonly questions: Questions;
  words: ClientWords = { capabilities: undefined, info: undefined };
  capabilities: ClientCapabilities = {};
  level: LogLevel = 'info';
  readonly #outlet: Outlet;
  readonly #pages: ConnectionPages | undefined;
  readonly #declared: Record<string, Result>;
  readonly #running = new Map<RpcId, Request2025>();
  readonly #subscribed = new Map<string, () => void>();
  readonly #polled = new PolledTasks((taskId, signal) => this.#askFor(taskId, signal));
  readonly #told: ToldTasks;
  readonly #stopChanges: () => void;
  #closed = false;

  constructor(host: ServerParts, calls: ServerCalls, caller: Caller, outlet: Outlet) {
    this.host = host;
    this.calls = calls;
    this.caller = caller;
    this.#outlet = outlet;
    this.questions = new Questions(this.send);
    this.#declared = { ...declaredCapabilities(host, '2025', caller) };
    this.#pages = serveConnection(host, caller);
    this.apps = this.#pages?.for(() => this.words);
    this.#told = new ToldTasks(host, caller, (params) => this.#tell(TASK_STATUS_2025, params));
    this.#stopChanges = host.changes.follow({
      listChanged: (name) => {
        if (this.#declared[name]) this.#announce(`notifications/${name}/list_changed`);
      },
      resourceUpdated: (uri) => {
        if (this.#subscribed.has(uri)) this.#announce('notifications/resources/updated', { uri });
      },
    });
  }

  readonly own: RequestConnection['own'] = {
    'resources/subscribe': (params) => this.#subscribe(uriOf(params)),
    'resources/unsubscribe': (params) => {
      this.#subscribed.get(uriOf(params))?.();
      this.#subscribed.delete(uriOf(params));
      return {};
    },
    'logging/setLevel': (params) => {
      const wanted = logLevelOf(params.level);
      if (wanted === undefined) throw invalidParams('logging/setLevel: level is none of the eight');
      this.level = wanted;
      return {};
    },
  };

  readonly send: Send = async (message, of) => {
    if (this.#closed) throw new Error('the client is gone');
    await this.#outlet.send(message, of);
  };

  /** Takes a message of the client. */
  take(message: RpcMessage): void {
    if (isResponse(message)) this.questions.answered(message);
    else if (isRequest(message)) void this.#answer(message);
    else if (message.method === 'notifications/cancelled') {
      const { params = {} } = message;
      this.abandon([params.requestId as RpcId], cancelledBy(params));
    }
  }

  /** These requests have nobody to answer any more: their client is gone, unless there is another reason. */
  abandon(ids: readonly RpcId[], ending = GONE): void {
    for (const id of ids) this.#running.get(id)?.awaited.end(ending);
  }

  /** The client is gone, or the server stops. */
  close(ending = GONE): void {
    if (this.#closed) return;
    this.#closed = true;
    this.abandon([...this.#running.keys()], ending);
    this.questions.close();
    this.#stopChanges();
    this.#polled.close();
    this.#told.close();
    this.#pages?.close();
    for (const release of this.#subscribed.values()) release();
    this.#subscribed.clear();
  }

  async #answer(request: RpcRequest): Promise<void> {
    const { id } = request;
    const wired = new Request2025(this, request);
    this.#running.set(id, wired);
    const response = await answerTo(request, () => this.#serve(wired));
    if (this.#running.get(id) === wired) this.#running.delete(id);
    if (wired.awaited.isOver) this.#outlet.drop(id);
    else if (!this.#closed)
      await this.#outlet
        .send(response, id)
        .catch((cause: unknown) => this.host.report('an answer could not be sent', cause));
  }

  async #serve(wired: Request2025): Promise<Result> {
    const { method, params } = wired;
    if (method === 'initialize') return this.#initialize(params);
    if (method === 'ping') return {};
    if (method === 'tasks/result' && typeof params.taskId === 'string') this.#polled.fetched(params.taskId);
    const serve = () => serveRequest(this.host, wired);
    const result = await (this.apps ? this.apps.serve(method, params, serve) : serve());
    if (method === 'tasks/get') {
      this.#polled.polled(String(params.taskId), result.status);
      this.#told.knows(result);
    } else if (wired.takesTasks) this.#told.knows(result.task);
    return result;
  }

  #initialize(params: Result): Result {
    const { revision: protocolVersion, ...words } = readHandshake(params);
    this.words = words;
    this.capabilities = decodeCapabilities(words.capabilities);
    // Pages are resources, for those who show pages.
    if (this.apps && showsApps(words.capabilities)) this.#declared.resources ??= {};
    const { info: serverInfo, instructions } = this.host;
    return {
      protocolVersion,
      capabilities: this.#declared,
      serverInfo,
      ...(instructions && { instructions }),
    };
  }

  /** Asks what a task asks that its client only polls. */
  async #askFor(taskId: string, signal: AbortSignal): Promise<unknown> {
    const request = new Request2025(this, { id: '', method: 'tasks/result', params: { taskId } }, false);
    signal.addEventListener('abort', () => request.awaited.end(GONE), { once: true });
    return await serveRequest(this.host, request);
  }

  #subscribe(uri: string): Result {
    const { watchers } = this.host;
    const subscribed = this.#subscribed;
    if (subscribed.has(uri)) return {};
    const isFull = subscribed.size >= MAX_SUBSCRIPTIONS;
    const release = isFull ? undefined : watchers.retain(uri, this.caller.name);
    if (!release && (isFull || watchers.isFull(this.caller.name)))
      throw new RpcError(RPC.refused, 'Too many subscriptions');
    if (!release) throw new RpcError(RPC.resourceNotFound, 'Resource not found', { uri: shortened(uri) });
    subscribed.set(uri, release);
    return {};
  }

  #tell(method: string, params?: Result): Promise<void> {
    return this.send({ jsonrpc: '2.0', method, ...(params && { params }) });
  }

  /** What it cannot send is lost: its client has gone. */
  #announce(method: string, params?: Result): void {
    this.#tell(method, params).catch(() => {});
  }
}
