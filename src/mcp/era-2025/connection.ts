import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { JSONRPCRequest, ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import type { LogLevel } from '../../core/tool/context.ts';
import type { Caller } from '../caller.ts';
import { answer, isCalling, isPlain, requireDeclared, unknownMethod, uriOf } from '../catalog/answer.ts';
import { type CallingMethod, resolveCall } from '../catalog/callable.ts';
import { declaredCapabilities, type ServerParts } from '../host.ts';
import { createReporter } from '../reporter.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf, progressTokenOf } from '../wire/meta.ts';
import type { RpcId } from '../wire/rpc/json-rpc.ts';
import { invalidParams, RPC, RpcError, shortened } from '../wire/rpc/rpc-error.ts';
import { createClient2025 } from './client.ts';
import { type DroppingTransport, Gate } from './gate.ts';
import type { Peer } from './peer.ts';
import { serveCall } from './serve-call.ts';

type Extra = RequestHandlerExtra<ServerRequest, ServerNotification>;
type Result = Readonly<Record<string, unknown>>;

/** A server of the 2025 era on one transport. */
export interface Connection2025 {
  close(): Promise<void>;
  /** These requests have nobody to answer any more. */
  abandon(ids: readonly RpcId[]): void;
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
  caller: Caller,
  transport: DroppingTransport,
  conversation: string,
): Promise<Connection2025> {
  const { Server, types } = await loadSdk2025();
  const { info, instructions } = host;
  const declared = declaredCapabilities(host);
  const server: Server = new Server(
    { ...info },
    {
      capabilities: declared,
      jsonSchemaValidator: NO_VALIDATOR,
      ...defined({ instructions }),
    },
  );
  const gate = new Gate(transport);
  const running = new Map<RpcId, AbortController>();
  const subscribed = new Map<string, () => void>();
  let level: LogLevel = 'info';

  const capabilities = () => decodeCapabilities(server.getClientCapabilities());
  const clientName = () => `mcp client "${server.getClientVersion()?.name ?? 'unknown'}"`;

  const peerOf = (request: JSONRPCRequest, extra: Extra): Peer => ({
    name: clientName(),
    capabilities,
    askTimeout: host.askTimeout,
    progressToken: progressTokenOf(request.params?._meta),
    logLevel: () => level,
    notify: (method, params) => extra.sendNotification({ method, params } as unknown as ServerNotification),
    request: (method, params, options) =>
      extra.sendRequest({ method, params } as unknown as ServerRequest, z.unknown(), options),
  });

  /** Who would answer a call that nobody has made yet: what lists are made for. */
  const listed = () => {
    const wire = { name: clientName(), capabilities, can: () => false };
    return (caller.client?.(wire) ?? wire).capabilities();
  };

  async function call(method: CallingMethod, request: JSONRPCRequest, extra: Extra): Promise<Result> {
    const callable = resolveCall(host, caller, '2025', method, request.params ?? {});
    const peer = peerOf(request, extra);
    const reporter = createReporter(callable.tool.name, peer);
    const wire = createClient2025(peer, reporter);
    const controller = new AbortController();
    const lost = () => controller.abort('the client is gone');
    extra.signal.addEventListener('abort', lost, { once: true });
    running.set(request.id, controller);
    try {
      return await host.run(() =>
        serveCall(host, {
          callable,
          client: caller.client?.(wire) ?? wire,
          principal: caller.name,
          conversation,
          signal: controller.signal,
          heartbeat: (message) => reporter.heartbeat(message),
        }),
      );
    } finally {
      running.delete(request.id);
      extra.signal.removeEventListener('abort', lost);
    }
  }

  async function serve(request: JSONRPCRequest, extra: Extra): Promise<Result> {
    const { method, params = {} } = request;
    if (isPlain(method))
      return await answer(host, method, { caller, era: '2025', params, capabilities: listed() });
    requireDeclared(host, method);
    if (isCalling(method)) return await call(method, request, extra);
    switch (method) {
      case 'resources/subscribe':
        return subscribe(uriOf(params));
      case 'resources/unsubscribe':
        subscribed.get(uriOf(params))?.();
        subscribed.delete(uriOf(params));
        return {};
      case 'logging/setLevel': {
        const wanted = logLevelOf(params.level);
        if (wanted === undefined) throw invalidParams('logging/setLevel: level is none of the eight');
        level = wanted;
        return {};
      }
      default:
        throw unknownMethod(method);
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

  const cancel = (id: RpcId, reason: string) => {
    const controller = running.get(id);
    if (!controller || controller.signal.aborted) return;
    gate.hold(id);
    controller.abort(reason);
  };

  const stopNotices = host.notices.subscribe((name) => {
    if (!declared[name]) return;
    const sent =
      name === 'tools'
        ? server.sendToolListChanged()
        : name === 'prompts'
          ? server.sendPromptListChanged()
          : server.sendResourceListChanged();
    sent.catch(() => {});
  });

  const stopUpdates = host.watchers.subscribe((uri) => {
    if (subscribed.has(uri)) server.sendResourceUpdated({ uri }).catch(() => {});
  });

  server.removeRequestHandler('logging/setLevel');
  server.fallbackRequestHandler = serve as typeof server.fallbackRequestHandler & typeof serve;
  // The SDK's own handler takes the request id 0 for none.
  server.setNotificationHandler(types.CancelledNotificationSchema, ({ params }) => {
    if (params.requestId !== undefined) cancel(params.requestId, params.reason ?? 'the client cancelled it');
  });
  server.onerror = (error) => host.report('a message could not be handled', error);
  server.onclose = () => {
    stopNotices();
    stopUpdates();
    for (const release of subscribed.values()) release();
    subscribed.clear();
  };
  await server.connect(gate);

  return {
    close: () => server.close(),
    abandon: (ids) => {
      for (const id of ids) cancel(id, 'the client is gone');
    },
  };
}

/** Most resources that one client may be subscribed to. */
const MAX_SUBSCRIPTIONS = 1000;
