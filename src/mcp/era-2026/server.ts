import type { JSONRPCRequest, Server, ServerContext } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { ClientPages, ConnectionPages } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { declaredCapabilities } from '../catalog/methods.ts';
import type { ServerParts } from '../host.ts';
import { PublishedRequest } from '../published/published-request.ts';
import { serveRequest } from '../request/serve-request.ts';
import type { RequestEnding, WireRequest } from '../request/wire-request.ts';
import { hasTasks, isTask2026 } from '../tasks/is-task.ts';
import type { Task } from '../tasks/task.ts';
import { createdTask2026, declaresTasks } from '../tasks/wire-2026.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf, META, progressTokenOf } from '../wire/meta.ts';
import type { CallHome } from './call-home.ts';
import { createClient2026 } from './client.ts';
import { serveLeg } from './serve-leg.ts';

/** The SDK, loaded when the first client of the era comes. */
export async function loadSdk2026(): Promise<Sdk2026> {
  const [sdk, stdio] = await Promise.all([
    import('@modelcontextprotocol/server'),
    import('@modelcontextprotocol/server/stdio'),
  ]);
  return { ...sdk, serveStdio: stdio.serveStdio };
}

/** What {@link loadSdk2026} loads. Written out: the inferred type names what the SDK does not export. */
export type Sdk2026 = typeof import('@modelcontextprotocol/server') &
  Pick<typeof import('@modelcontextprotocol/server/stdio'), 'serveStdio'>;

/** What the SDK would check answers of its own questions with; it asks none. */
const NO_VALIDATOR = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'not used' }),
};

/** What a server is reached through. */
interface ServerChannel {
  readonly pages: ConnectionPages | undefined;
  /** Resolves when its client has read enough to be sent more, where sending does not wait for that. */
  readonly room?: (() => Promise<void>) | undefined;
}

interface RequestChannel extends Pick<ServerChannel, 'room'> {
  /** Why a request that was aborted was. */
  ending(): RequestEnding;
  readonly apps: ClientPages | undefined;
}

/**
 * A server of the 2026 era for one caller: for one request over HTTP, for a connection over stdio.
 *
 * @param ending why a request that was aborted was
 */
export function createServer2026(
  sdk: Sdk2026,
  host: ServerParts,
  home: CallHome,
  caller: Caller,
  ending: () => RequestEnding,
  { pages, room }: ServerChannel,
): Server {
  const server = new sdk.Server(
    { ...host.info },
    {
      capabilities: declaredCapabilities(host, '2026', caller),
      jsonSchemaValidator: NO_VALIDATOR,
      ...defined({ instructions: host.instructions }),
    },
  );
  // As a fallback, for requests and results are checked by our own code, once: a handler's the SDK checks again.
  const serve: NonNullable<Server['fallbackRequestHandler']> = async (request, ctx) => {
    const { envelope = {} } = ctx.mcpReq as { envelope?: Readonly<Record<string, unknown>> };
    const words = { capabilities: envelope[META.clientCapabilities], info: envelope[META.clientInfo] };
    const apps = pages?.for(() => words);
    const wired = requestOf(host, home, caller, request, ctx, { ending, apps, room });
    const answer = () => serveRequest(host, wired);
    if (!apps) return await answer();
    const result = await apps.serve(request.method, request.params ?? {}, answer);
    return UNKEPT.has(request.method) ? { ttlMs: 0, cacheScope: 'private', ...result } : result;
  };
  server.fallbackRequestHandler = serve;
  // Methods of the era before, under whose names the extension has its own: the SDK wants to be told.
  for (const method of hasTasks(host) ? (['tasks/get', 'tasks/cancel'] as const) : []) {
    server.setRequestHandler(method, { params: z.looseObject({}) }, (params, ctx) =>
      serve({ jsonrpc: '2.0', id: ctx.mcpReq.id, method, params }, ctx),
    );
  }
  return server;
}

/** Answers of these say how long they may be kept; those about pages, never. */
const UNKEPT: ReadonlySet<string> = new Set(['resources/read', 'resources/list', 'resources/templates/list']);

function requestOf(
  host: ServerParts,
  home: CallHome,
  caller: Caller,
  { method, params = {} }: JSONRPCRequest,
  { mcpReq }: ServerContext,
  { ending, apps, room }: RequestChannel,
): WireRequest {
  const paged = apps?.request(method, params);
  const envelope: Readonly<Record<string, unknown>> = mcpReq.envelope ?? {};
  const info = envelope[META.clientInfo];
  const name = `mcp client "${isObject(info) ? String(info.name) : 'unknown'}"`;
  const capabilities = () => decodeCapabilities(envelope[META.clientCapabilities]);
  const declared = declaresTasks(envelope[META.clientCapabilities]);
  // Pages in the conversation come first.
  const sent = paged ? undefined : PublishedRequest.for(host, caller, declared);
  const over = paged ?? sent;
  return {
    era: '2026',
    caller,
    method,
    params,
    name,
    clientInfo: info,
    capabilities,
    progressToken: progressTokenOf(mcpReq._meta),
    logLevel: () => logLevelOf(envelope[META.logLevel]),
    async notify(notification, payload) {
      await mcpReq.notify({ method: notification, params: payload });
      await room?.();
    },
    signal: mcpReq.signal,
    ending,
    client: (reporter) => createClient2026(name, capabilities(), reporter),
    adds: (has, tool) => {
      const shown = apps?.adds(has) ?? has;
      return sent?.adds(shown, tool) ?? shown;
    },
    ...(over ? { over: (client, tool) => over.over(client, tool) } : {}),
    ...(sent ? { stays: (tool) => sent.stays(tool) } : {}),
    takesTasks: declared,
    goesOn: mcpReq.requestState() !== undefined,
    responses: () => mcpReq.inputResponses,
    run(call) {
      const brought = { state: mcpReq.requestState(), responses: mcpReq.inputResponses ?? {} };
      const { tasks } = host;
      // What is asked on pages is asked within its requests.
      const takes = { declared: declared && !call.stays, goesOn: brought.state !== undefined };
      if (isTask2026(host, call.callable, takes) && tasks) {
        const answer = (task: Task) => createdTask2026(task, tasks.pollInterval);
        return tasks.begin({ call, era: '2026', brought, ttl: undefined, answer });
      }
      if (!apps || !paged) return serveLeg(home, call, brought, sent && ((session) => sent.leg(session)));
      const { given } = call.callable;
      return serveLeg(home, call, brought, (session) => {
        const findable = apps.began({ session, given, request: undefined });
        return findable && paged.leg(session, findable);
      });
    },
  };
}
