import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { JSONRPCRequest, Notification, Request } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import type { ClientCapabilities, LogLevel } from '../../core/tool/context.ts';
import { drive } from '../../runtime/drive/drive.ts';
import { showsApps } from '../apps/serve-apps.ts';
import { serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { declaredCapabilities, uriOf } from '../catalog/methods.ts';
import { notifying } from '../changes.ts';
import type { ServerParts } from '../host.ts';
import type { Result } from '../open-call.ts';
import { PAGE_COMPLETED } from '../sent-pages.ts';
import { type RequestEnding, serveRequest, type WireRequest } from '../serve-request.ts';
import { isTask2025 } from '../tasks/is-task.ts';
import type { Task } from '../tasks/task.ts';
import { encodeTask2025, relatedTo, wantedTtl } from '../tasks/wire-2025.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf, progressTokenOf } from '../wire/meta.ts';
import { isObject, type RpcId } from '../wire/rpc/json-rpc.ts';
import { invalidParams, RPC, RpcError, shortened } from '../wire/rpc/rpc-error.ts';
import { createClient2025 } from './client.ts';
import { type DroppingTransport, Gate } from './gate.ts';
import type { KeptSession } from './kept/kept-session.ts';
import type { SessionFacts } from './kept/notes.ts';
import type { Peer } from './peer.ts';
import { PolledTasks } from './polled-tasks.ts';

type Extra = Pick<RequestHandlerExtra<Request, Notification>, 'sendNotification' | 'sendRequest'>;
type Reply = Record<string, unknown>;

/** A server of the 2025 era on one transport. */
export interface Connection2025 {
  close(): Promise<void>;
  /** These requests have nobody to answer any more: their client is gone, unless there is another reason. */
  abandon(ids: readonly RpcId[], ending?: RequestEnding): void;
}

const GONE: RequestEnding = { why: 'the client is gone', gone: true };

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

/** Makes what keeps the calls of a client beside the connection, given what it said when it came. */
export type KeepSession = (facts: () => Pick<SessionFacts, 'capabilities' | 'clientInfo'>) => KeptSession;

/** Serves one client, on one transport, until either ends. */
export async function connect2025(
  host: ServerParts,
  caller: Caller,
  transport: DroppingTransport,
  conversation: string,
  keeping?: KeepSession,
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
  const kept = keeping?.(() => ({
    capabilities: { ...server.getClientCapabilities() },
    clientInfo: server.getClientVersion() ?? { name: 'unknown', version: '' },
  }));
  const gate = new Gate(
    transport,
    (message) => {
      // Pages are resources, for those who show pages: the SDK sends these capabilities with its next answer.
      if (
        'method' in message &&
        message.method === 'initialize' &&
        apps &&
        showsApps(message.params?.capabilities)
      )
        declared.resources ??= {};
    },
    kept?.awaited,
  );
  const running = new Map<RpcId, AbortController>();
  const subscribed = new Map<string, () => void>();
  let level: LogLevel = 'info';

  const own: NonNullable<WireRequest['own']> = {
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

  function requestOf(
    { id, method, params = {} }: JSONRPCRequest,
    extra: Extra,
    signal: AbortSignal,
  ): WireRequest {
    // What is said while a client waits for what comes of a task is about that.
    const about = (payload: Reply) =>
      method === 'tasks/result' ? { ...relatedTo(String(params.taskId), payload) } : payload;
    const peer: Peer = {
      name: `mcp client "${server.getClientVersion()?.name ?? 'unknown'}"`,
      capabilities,
      askTimeout: host.askTimeout,
      progressToken: progressTokenOf(params._meta),
      logLevel: () => level,
      notify: (name, payload) => extra.sendNotification({ method: name, params: about(payload) }),
      notifyLater: (name, payload) => server.notification({ method: name, params: payload }),
      request: (name, payload, { question, ...options }) =>
        extra.sendRequest({ method: name, params: about(payload) }, z.unknown(), {
          ...options,
          ...(kept?.asks(question) ? { resumptionToken: question } : {}),
        }),
    };
    const paged = apps?.request(method, params);
    return {
      ...peer,
      era: '2025',
      clientInfo: server.getClientVersion(),
      caller,
      method,
      params,
      signal,
      ending: () => signal.reason as RequestEnding,
      own,
      client: (reporter, trace) => createClient2025(peer, reporter, trace, host.sentPages),
      requirePages: (pages) => {
        for (const { elicitationId } of pages) {
          host.sentPages.sent(elicitationId, () => peer.notifyLater(PAGE_COMPLETED, { elicitationId }));
        }
      },
      ...(apps ? { adds: apps.adds } : {}),
      ...(paged ? { over: (client) => paged.over(client) } : {}),
      takesTasks: isObject(params.task),
      *run(call) {
        const { tasks } = host;
        if (isTask2025(host, call.callable, params) && tasks) {
          const answer = (task: Task) => ({ task: encodeTask2025(task, tasks.pollInterval) });
          const brought = { state: undefined, responses: {} };
          return yield* tasks.begin({ call, era: '2025', brought, ttl: wantedTtl(params.task), answer });
        }
        if (kept?.keeps(call.callable) && !paged) return yield* kept.serve(call, { id, method, params });
        const session = yield* call.create({ conversation });
        const found = apps?.began({ session, given: call.callable.given, request: id });
        if (paged && found) return yield* call.attended(session, () => paged.run(call, session, found));
        try {
          const end = yield* call.attended(session, () => drive(session, call.client, 'end', { last: true }));
          return call.finish(end);
        } finally {
          found?.over();
        }
      },
    };
  }

  const polled = new PolledTasks((taskId, signal) => {
    const request = {
      jsonrpc: '2.0' as const,
      id: `task ${taskId}`,
      method: 'tasks/result',
      params: { taskId },
    };
    const ownStream: Extra = {
      sendNotification: (notification) => server.notification(notification),
      sendRequest: (asked, schema, options) => server.request(asked, schema, options),
    };
    return serveRequest(host, requestOf(request, ownStream, signal));
  });

  async function serve(
    request: JSONRPCRequest,
    extra: Extra & { readonly signal: AbortSignal },
  ): Promise<Result> {
    const controller = new AbortController();
    const lost = () => {
      if (!kept?.leaving) controller.abort(GONE);
    };
    extra.signal.addEventListener('abort', lost, { once: true });
    running.set(request.id, controller);
    try {
      const wired = requestOf(request, extra, controller.signal);
      const answer = () => serveRequest(host, wired);
      const { method, params } = wired;
      if (method === 'tasks/result') polled.fetched(String(params.taskId));
      const result = await (apps ? apps.serve(method, params, answer) : answer());
      if (method === 'tasks/get') polled.polled(String(params.taskId), result.status);
      return result;
    } finally {
      running.delete(request.id);
      extra.signal.removeEventListener('abort', lost);
    }
  }

  function subscribe(uri: string): Result {
    if (subscribed.has(uri)) return {};
    if (subscribed.size >= MAX_SUBSCRIPTIONS) throw new RpcError(RPC.refused, 'Too many subscriptions');
    const release = host.watchers.retain(uri);
    if (!release) throw new RpcError(RPC.resourceNotFound, 'Resource not found', { uri: shortened(uri) });
    subscribed.set(uri, release);
    return {};
  }

  const cancel = (id: RpcId, ending: RequestEnding) => {
    const controller = running.get(id);
    if (!controller || controller.signal.aborted) return;
    gate.hold(id);
    controller.abort(ending);
  };

  const told = notifying(server);
  const stopChanges = host.changes.follow({
    listChanged: (name) => {
      if (declared[name]) told.listChanged(name);
    },
    resourceUpdated: (uri) => {
      if (subscribed.has(uri)) told.resourceUpdated(uri);
    },
  });

  server.removeRequestHandler('logging/setLevel');
  server.fallbackRequestHandler = serve;
  // The SDK's own handler takes the request id 0 for none.
  server.setNotificationHandler(types.CancelledNotificationSchema, ({ params }) => {
    if (params.requestId !== undefined)
      cancel(params.requestId, { why: params.reason ?? 'the client cancelled it' });
  });
  server.onerror = (error) => host.report('a message could not be handled', error);
  server.onclose = () => {
    stopChanges();
    polled.close();
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
