import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { JSONRPCRequest, Notification, Request } from '@modelcontextprotocol/sdk/types.js';
import { defined } from '../../core/schema/defined.ts';
import type { ClientCapabilities, LogLevel } from '../../core/tool/context.ts';
import { stopReasons } from '../../panel-port/index.ts';
import { showsApps } from '../apps/serve-apps.ts';
import { serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { declaredCapabilities, uriOf } from '../catalog/methods.ts';
import { notifying } from '../changes.ts';
import type { ServerCalls } from '../era-2026/serve-call.ts';
import type { ServerParts } from '../host.ts';
import type { Result } from '../request/open-call.ts';
import { serveRequest } from '../request/serve-request.ts';
import type { RequestEnding } from '../request/wire-request.ts';
import { ToldTasks } from '../tasks/telling/told-tasks.ts';
import { TASK_STATUS_2025 } from '../tasks/wire-2025.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf } from '../wire/meta.ts';
import type { RpcId, RpcRequest, RpcResponse } from '../wire/rpc/json-rpc.ts';
import { failureOf, invalidParams, RPC, RpcError, shortened } from '../wire/rpc/rpc-error.ts';
import { type DroppingTransport, Gate } from './gate.ts';
import { PolledTasks } from './polled-tasks.ts';
import { GONE, Request2025, type RequestConnection, type Stream } from './request.ts';

type Reply = Record<string, unknown>;

/** A server of the 2025 era on one transport. */
export interface Connection2025 {
  close(): Promise<void>;
  /** These requests have nobody to answer any more: their client is gone, unless there is another reason. */
  abandon(ids: readonly RpcId[], ending?: RequestEnding): void;
}

/** The SDK, loaded when the first client of the era comes. */
export async function loadSdk2025() {
  const [{ Server }, types] = await Promise.all([
    import('@modelcontextprotocol/sdk/server/index.js'),
    import('@modelcontextprotocol/sdk/types.js'),
  ]);
  return { Server, types };
}

/** What the SDK would check answers of its own questions with; sessions check theirs with the original schema. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }),
};

/** Serves one client, on one transport, until either ends. */
export async function connect2025(
  host: ServerParts,
  calls: ServerCalls,
  caller: Caller,
  transport: DroppingTransport,
): Promise<Connection2025> {
  const { Server, types } = await loadSdk2025();
  const { info, instructions } = host;
  const declared = { ...declaredCapabilities(host, '2025', caller) };
  const pages = serveConnection(host, caller);
  const apps = pages?.for(() => ({
    capabilities: server.getClientCapabilities(),
    info: server.getClientVersion(),
  }));
  const server: Server<Request, Notification, Reply> = new Server(
    { ...info },
    {
      capabilities: declared,
      jsonSchemaValidator: NO_VALIDATOR,
      ...defined({ instructions }),
    },
  );
  const gate = new Gate(transport, {
    peek(message) {
      // Pages are resources, for those who show pages: the SDK sends these capabilities with its next answer.
      if (
        'method' in message &&
        message.method === 'initialize' &&
        apps &&
        showsApps(message.params?.capabilities)
      )
        declared.resources ??= {};
    },
    serve: (request) => void answer(request),
  });
  const running = new Map<RpcId, Request2025>();
  const subscribed = new Map<string, () => void>();
  let level: LogLevel = 'info';
  let closed = false;

  const own: RequestConnection['own'] = {
    'resources/subscribe': (params) => subscribe(uriOf(params)),
    'resources/unsubscribe': (params) => {
      subscribed.get(uriOf(params))?.();
      subscribed.delete(uriOf(params));
      return {};
    },
    'logging/setLevel': (params) => {
      const wanted = logLevelOf(params.level);
      if (wanted === undefined) throw invalidParams('logging/setLevel: level is none of the eight');
      level = wanted;
      return {};
    },
  };

  // A client says once what it can do, and it is asked for several times a call.
  let known: { readonly said: unknown; readonly can: ClientCapabilities } = { said: undefined, can: {} };
  const capabilities = (): ClientCapabilities => {
    const said = server.getClientCapabilities();
    if (said !== known.said) known = { said, can: decodeCapabilities(said) };
    return known.can;
  };

  const connection: RequestConnection = {
    ...{ host, calls, caller, server, apps, own },
    capabilities,
    level: () => level,
  };

  const polled = new PolledTasks(async (taskId, signal) => {
    const ownStream: Stream = {
      sendNotification: (notification) => server.notification(notification),
      sendRequest: (asked, schema, options) => server.request(asked, schema, options),
    };
    const id = `task ${taskId}`;
    const request = new Request2025(
      connection,
      { id, method: 'tasks/result', params: { taskId } },
      ownStream,
    );
    signal.addEventListener('abort', () => request.end(signal.reason as RequestEnding), { once: true });
    return await serveRequest(host, request);
  });

  const told = new ToldTasks(host, caller, (task) =>
    server.notification({ method: TASK_STATUS_2025, params: task }),
  );

  async function serve(request: RpcRequest, stream?: Stream): Promise<Result> {
    const wired = new Request2025(connection, request, stream);
    const { id, method, params } = wired;
    running.set(id, wired);
    try {
      if (method === 'tasks/result' && typeof params.taskId === 'string') polled.fetched(params.taskId);
      const result = await (apps
        ? apps.serve(method, params, () => serveRequest(host, wired))
        : serveRequest(host, wired));
      if (method === 'tasks/get') {
        polled.polled(String(params.taskId), result.status);
        told.knows(result);
      } else if (wired.takesTasks) told.knows(result.task);
      return result;
    } finally {
      if (running.get(id) === wired) running.delete(id);
    }
  }

  /** Serves a request and sends its answer: what the SDK does for its own, without what ours do not need. */
  async function answer(request: RpcRequest): Promise<void> {
    const { id } = request;
    let response: RpcResponse;
    try {
      response = { result: await serve(request), jsonrpc: '2.0', id };
    } catch (error) {
      response = { jsonrpc: '2.0', id, error: failureOf(error) };
    }
    if (closed) return;
    try {
      await gate.send(response);
    } catch (cause) {
      host.report('an answer could not be sent', cause);
    }
  }

  function subscribe(uri: string): Result {
    if (subscribed.has(uri)) return {};
    const release = subscribed.size < MAX_SUBSCRIPTIONS ? host.watchers.retain(uri, caller.name) : undefined;
    if (!release && (subscribed.size >= MAX_SUBSCRIPTIONS || host.watchers.isFull(caller.name)))
      throw new RpcError(RPC.refused, 'Too many subscriptions');
    if (!release) throw new RpcError(RPC.resourceNotFound, 'Resource not found', { uri: shortened(uri) });
    subscribed.set(uri, release);
    return {};
  }

  const cancel = (id: RpcId, ending: RequestEnding) => {
    if (running.get(id)?.end(ending)) gate.hold(id);
  };

  const notify = notifying(server);
  const stopChanges = host.changes.follow({
    listChanged: (name) => {
      if (declared[name]) notify.listChanged(name);
    },
    resourceUpdated: (uri) => {
      if (subscribed.has(uri)) notify.resourceUpdated(uri);
    },
  });

  server.removeRequestHandler('logging/setLevel');
  server.fallbackRequestHandler = (request: JSONRPCRequest, stream) => serve(request as RpcRequest, stream);
  // The SDK's own handler takes the request id 0 for none.
  server.setNotificationHandler(types.CancelledNotificationSchema, ({ params }) => {
    if (params.requestId !== undefined)
      cancel(params.requestId, { why: params.reason ?? stopReasons.byClient });
  });
  server.onerror = (error) => host.report('a message could not be handled', error);
  server.onclose = () => {
    closed = true;
    for (const request of running.values()) request.end(GONE);
    stopChanges();
    polled.close();
    told.close();
    pages?.close();
    for (const release of subscribed.values()) release();
    subscribed.clear();
  };
  await server.connect(gate);

  return {
    close: () => server.close(),
    abandon: (ids, ending = GONE) => {
      for (const id of ids) cancel(id, ending);
    },
  };
}

/** Most resources that one client may be subscribed to. */
const MAX_SUBSCRIPTIONS = 1000;
