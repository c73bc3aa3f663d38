import { isObject } from '../../core/schema/is-object.ts';
import type { ClientCapabilities } from '../../core/tool/context.ts';
import type { ClientPages, ConnectionPages } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import type { ServerParts } from '../host.ts';
import { PublishedRequest } from '../published/published-request.ts';
import type { Result } from '../request/open-call.ts';
import { serveRequest } from '../request/serve-request.ts';
import type { RequestEnding, WireRequest } from '../request/wire-request.ts';
import { isTask2026 } from '../tasks/is-task.ts';
import type { Task } from '../tasks/task.ts';
import { createdTask2026, declaresTasks } from '../tasks/wire-2026.ts';
import { decodeCapabilities } from '../wire/capabilities.ts';
import { logLevelOf, META, progressTokenOf } from '../wire/meta.ts';
import { createClient2026 } from './client.ts';
import { type ServerCalls, serveCall } from './serve-call.ts';

/** What came with a request beside its parameters, and where what belongs to it goes. */
export interface Asked2026 extends Pick<WireRequest, 'signal' | 'onEnd'> {
  /** What the client says of itself with each request, as it is in `_meta`. */
  readonly envelope?: Readonly<Record<string, unknown>> | undefined;
  /** The rest of its `_meta`. */
  readonly _meta?: unknown;
  /** The answers that it carries, by key. */
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined;
  requestState(): unknown;
  notify(notification: { method: string; params: Record<string, unknown> }): Promise<void>;
}

/** Serves a request of one caller. @throws `RpcError` */
export type Serve2026 = (
  request: { readonly method: string; readonly params?: WireRequest['params'] | undefined },
  asked: Asked2026,
) => Promise<Result>;

/** What the requests of one caller have in common. */
export interface Serving2026 {
  readonly host: ServerParts;
  readonly calls: ServerCalls;
  readonly caller: Caller;
  readonly pages: ConnectionPages | undefined;
  /** Why a request that was aborted was. */
  ending(): RequestEnding;
  /** Resolves when the client has read enough to be sent more, where sending does not wait for that. */
  readonly room?: (() => Promise<void>) | undefined;
}

/** What serves the requests of one caller. */
export function serving2026(serving: Serving2026): Serve2026 {
  const { host, pages } = serving;
  return async (request, asked) => {
    const { envelope = {} } = asked;
    const words = { capabilities: envelope[META.clientCapabilities], info: envelope[META.clientInfo] };
    const apps = pages?.for(() => words);
    const wired = requestOf(serving, request, asked, apps);
    const answer = () => serveRequest(host, wired);
    if (!apps) return await answer();
    const result = await apps.serve(request.method, request.params ?? {}, answer);
    return UNKEPT.has(request.method) ? { ttlMs: 0, cacheScope: 'private', ...result } : result;
  };
}

/** Answers of these say how long they may be kept; those about pages, never. */
const UNKEPT: ReadonlySet<string> = new Set(['resources/read', 'resources/list', 'resources/templates/list']);

function requestOf(
  { host, calls, caller, ending, room }: Serving2026,
  { method, params = {} }: Parameters<Serve2026>[0],
  asked: Asked2026,
  apps: ClientPages | undefined,
): WireRequest {
  const paged = apps?.request(method, params);
  const { envelope = {} } = asked;
  const info = envelope[META.clientInfo];
  const name = `mcp client "${isObject(info) ? String(info.name) : 'unknown'}"`;
  let decoded: ClientCapabilities | undefined;
  // Asked for several times a call.
  const capabilities = () => {
    decoded ??= decodeCapabilities(envelope[META.clientCapabilities]);
    return decoded;
  };
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
    progressToken: progressTokenOf(asked._meta),
    logLevel: () => logLevelOf(envelope[META.logLevel]),
    async notify(notification, payload) {
      await asked.notify({ method: notification, params: payload });
      await room?.();
    },
    get signal() {
      return asked.signal;
    },
    ...(asked.onEnd ? { onEnd: (listener) => asked.onEnd?.(listener) ?? (() => {}) } : {}),
    ending,
    client: (reporter) => createClient2026(name, capabilities(), reporter),
    adds: (has, tool) => {
      const shown = apps?.adds(has) ?? has;
      return sent?.adds(shown, tool) ?? shown;
    },
    ...(over ? { over: (client, tool) => over.over(client, tool) } : {}),
    ...(sent ? { stays: (tool) => sent.stays(tool) } : {}),
    takesTasks: declared,
    goesOn: asked.requestState() !== undefined,
    responses: () => asked.inputResponses,
    run(call) {
      const brought = { state: asked.requestState(), responses: asked.inputResponses ?? {} };
      const { tasks } = host;
      // What is asked on pages is asked within its requests.
      const takes = { declared: declared && !call.stays, goesOn: brought.state !== undefined };
      if (isTask2026(host, call.callable, takes) && tasks) {
        const answer = (task: Task) => createdTask2026(task, tasks.pollInterval);
        return tasks.begin({ call, era: '2026', brought, ttl: undefined, answer });
      }
      if (!apps || !paged) return serveCall(calls, call, brought, sent);
      const { given } = call.callable;
      const pages = paged.pages((session) => apps.began({ session, given, request: undefined }));
      return serveCall(calls, call, brought, pages);
    },
  };
}
