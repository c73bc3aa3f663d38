import type { IncomingMessage, ServerResponse } from 'node:http';
import type { McpHttpHandler, McpRequestContext, ServerEventBus } from '@modelcontextprotocol/server';
import { toolOf } from '../../../core/plugin/offer.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import { stopReasons } from '../../../panel-port/index.ts';
import { keepLast } from '../../../runtime/data/keep-last.ts';
import { type ConnectionPages, serveConnection } from '../../apps/serve-connection.ts';
import type { Caller } from '../../caller.ts';
import { hasMethod } from '../../catalog/methods.ts';
import type { ServerParts } from '../../host.ts';
import type { HttpLimits } from '../../http/limits.ts';
import { refuse, sendJson } from '../../http/respond.ts';
import type { RequestEnding } from '../../request/wire-request.ts';
import { TaskListening } from '../../tasks/telling/task-listening.ts';
import { withTasks } from '../../tasks/telling/task-stream.ts';
import { headerMismatch, paramHeadersOf } from '../../wire/param-headers.ts';
import { errorResponse, idOf } from '../../wire/rpc/json-rpc.ts';
import { RPC, RpcError } from '../../wire/rpc/rpc-error.ts';
import { shortResponse } from '../../wire/rpc/short-refusal.ts';
import { type Serving2026, serving2026 } from '../request.ts';
import type { ServerCalls } from '../serve-call.ts';
import { createServer2026, type Sdk2026 } from '../server.ts';
import { PlainCall, plainCallOf } from './plain-call.ts';
import { roomFor, serveWeb } from './web-adapter.ts';

interface Entry {
  readonly handler: McpHttpHandler;
  /** The caller as the last request had it, and why there is no next one. */
  readonly held: { caller: Caller; ending: RequestEnding; readonly pages: ConnectionPages | undefined };
  /** As the caller is served. */
  readonly host: ServerParts;
  /** Ends what tells its streams of changes of lists of its own. */
  stop(): void;
  /** Requests that are being served, streams among them. */
  open: number;
  /** Calls that are being served past the SDK. */
  readonly plain: Set<PlainCall>;
  /** Streams that tell of tasks. */
  listening: number;
  /** Ends those. */
  readonly ending: PromiseWithResolvers<void>;
}

/** The 2026-era side of one HTTP endpoint: nothing lives between requests but calls and subscriptions. */
export class Http2026 {
  readonly #host: ServerParts;
  readonly #limits: HttpLimits;
  readonly #calls: ServerCalls;
  readonly #sdk: Sdk2026;
  /** One handler a caller: what a caller may see must not reach another's subscriptions. Who called last is last. */
  readonly #handlers = new Map<string, Entry>();
  /** What streams of callers hear of changes on whose lists are those of all. */
  readonly #bus: ServerEventBus;
  readonly #stop: () => void;

  constructor(sdk: Sdk2026, host: ServerParts, calls: ServerCalls, limits: HttpLimits) {
    this.#sdk = sdk;
    this.#host = host;
    this.#calls = calls;
    this.#limits = limits;
    this.#bus = new sdk.InMemoryServerEventBus();
    this.#stop = telling(host, this.#bus);
  }

  async handle(req: IncomingMessage, res: ServerResponse, caller: Caller, body: unknown): Promise<void> {
    const mismatch = this.#headerMismatch(req, caller, body);
    if (mismatch !== undefined) {
      const message = `Bad Request: ${mismatch}`;
      refuse(res, { status: 400, code: RPC.headerMismatch, message, id: idOf(body) });
      return;
    }
    const entry = this.#entryOf(caller);
    const call = hasMethod(entry.host, 'tools/call') ? plainCallOf(this.#sdk, req, body) : undefined;
    if (call) return await this.#servePlain(entry, new PlainCall(call, res, this.#limits.maxUnread));
    const release = watch(entry.host, caller, body);
    if (release) res.on('close', release);
    entry.open += 1;
    try {
      const tasks = await this.#tasksOf(entry, res, body);
      if (tasks === 'refused') return;
      await serveWeb(req, res, this.#limits.maxUnread, async (request) => {
        const response = await entry.handler.fetch(request, { parsedBody: body });
        if (!tasks) return await shortResponse(response);
        return withTasks(response, { tasks, heartbeat: entry.host.heartbeat, ending: entry.ending.promise });
      });
    } finally {
      entry.open -= 1;
    }
  }

  async #servePlain(entry: Entry, call: PlainCall): Promise<void> {
    entry.open += 1;
    entry.plain.add(call);
    try {
      await call.serve(serving2026(this.#serving(entry)), { ...entry.host.info });
    } finally {
      entry.plain.delete(call);
      entry.open -= 1;
    }
  }

  #serving({ host, held }: Pick<Entry, 'host' | 'held'>): Serving2026 {
    return { host, calls: this.#calls, caller: held.caller, pages: held.pages, ending: () => held.ending };
  }

  /** The tasks that a `subscriptions/listen` wants to hear of, if it does. */
  async #tasksOf(
    entry: Entry,
    res: ServerResponse,
    body: unknown,
  ): Promise<TaskListening | 'refused' | undefined> {
    const refused = (code: number, message: string, data?: unknown) => {
      const status = code === RPC.missingCapability ? 400 : 200;
      sendJson(res, status, errorResponse(idOf(body), code, message, data));
      return 'refused' as const;
    };
    try {
      const tasks = await TaskListening.of(entry.host, entry.held.caller, body);
      if (!tasks) return undefined;
      if (res.destroyed) {
        tasks.close();
        return 'refused';
      }
      // One that names nothing else is none of those that the SDK counts.
      if (entry.listening >= this.#limits.maxSubscriptions) {
        tasks.close();
        return refused(RPC.internal, 'Subscription limit reached');
      }
      entry.listening += 1;
      res.on('close', () => {
        entry.listening -= 1;
        tasks.close();
      });
      return tasks;
    } catch (error) {
      if (error instanceof RpcError) return refused(error.code, error.message, error.data);
      throw error;
    }
  }

  /** Ends the requests, streams and calls of a principal. */
  async dismiss(principal: string, why: string): Promise<void> {
    const entry = this.#handlers.get(principal);
    if (entry) {
      this.#handlers.delete(principal);
      entry.held.ending = { why };
      await end(entry);
    }
    // Of one who is not remembered there may still be calls that wait.
    const waiting = this.#calls.calls.abandon(principal);
    await Promise.all(waiting.map((session) => this.#host.run(() => session.abort(why))));
  }

  async close(): Promise<void> {
    this.#stop();
    await Promise.all(Array.from(this.#handlers.values(), end));
  }

  #entryOf(caller: Caller): Entry {
    const before = this.#handlers.get(caller.name);
    // One whose lists were let go has others now.
    const known = before?.host.changes === this.#host.for(caller.name).changes ? before : undefined;
    if (known) known.held.caller = caller;
    const entry = known ?? this.#made(caller);
    const idle = keepLast(
      this.#handlers,
      [caller.name, entry],
      this.#limits.maxPrincipals,
      ({ open, held }) => open === 0 && held.pages?.used() !== true,
    );
    for (const one of before && !known ? [...idle, before] : idle) {
      end(one).catch((cause: unknown) => this.#host.report('a principal could not be forgotten', cause));
    }
    return entry;
  }

  #made(caller: Caller): Entry {
    const host = this.#host.for(caller.name);
    const hasOwn = host.changes !== this.#host.changes;
    const bus = hasOwn ? new this.#sdk.InMemoryServerEventBus() : this.#bus;
    const pages = serveConnection(host, caller);
    const held: Entry['held'] = { caller, ending: { why: stopReasons.byClient }, pages };
    // The SDK has compared this header with the body by now. What it finds nobody for is a 404, as the protocol has it.
    const create = ({ requestInfo }: McpRequestContext) => {
      const room = () => roomFor(requestInfo);
      const server = createServer2026(this.#sdk, { ...this.#serving({ host, held }), room });
      const method = requestInfo?.headers.get('mcp-method')?.trim() ?? '';
      if (!hasMethod(host, method) && !(pages && isOfPages(method))) delete server.fallbackRequestHandler;
      return server;
    };
    const handler = this.#sdk.createMcpHandler(create, {
      bus,
      legacy: 'reject',
      maxSubscriptions: this.#limits.maxSubscriptions,
      onerror: (error) => this.#host.report('a request was refused', error),
    });
    return {
      handler,
      held,
      host,
      stop: hasOwn ? telling(host, bus) : () => {},
      open: 0,
      plain: new Set(),
      listening: 0,
      ending: Promise.withResolvers(),
    };
  }

  /** Parameters that a tool marks with `x-mcp-header` stand in headers as well. The SDK looks at its own tools only. */
  #headerMismatch(req: IncomingMessage, caller: Caller, body: unknown): string | undefined {
    if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return undefined;
    const { name, arguments: args } = body.params;
    if (typeof name !== 'string') return undefined;
    const served = this.#host.for(caller.name).surface.resolve(caller, name, args)?.served;
    const tool = served && toolOf(served);
    // Through `run_tool` another tool runs than the one that the client called, and knows.
    if (!tool || tool.name !== name) return undefined;
    return headerMismatch(paramHeadersOf(tool.def.parameters.json), args, req.headers);
  }
}

/** Tells a bus what has changed. Returns what stops it. */
function telling({ changes }: ServerParts, bus: ServerEventBus): () => void {
  return changes.follow({
    listChanged: (name) => bus.publish({ kind: `${name}_list_changed` }),
    resourceUpdated: (uri) => bus.publish({ kind: 'resource_updated', uri }),
  });
}

/** Watches the resources that a `subscriptions/listen` names, for as long as its stream is open. */
function watch({ watchers }: ServerParts, caller: Caller, body: unknown): (() => void) | undefined {
  const uris = subscribedUris(body);
  if (uris.length === 0) return undefined;
  const releases = uris.map((uri) => watchers.retain(uri, caller.name));
  return () => {
    for (const release of releases.splice(0)) release?.();
  };
}

async function end({ handler, held, plain, stop, ending }: Entry): Promise<void> {
  stop();
  ending.resolve();
  for (const call of plain) call.close();
  held.pages?.close();
  await handler.close();
}

/** Pages are read as resources, also where a server has no other. */
function isOfPages(method: string): boolean {
  return method === 'resources/read' || method === 'resources/list' || method === 'resources/templates/list';
}

/** Most resources that one stream may name. */
const MAX_URIS = 1000;

/** The resources that a `subscriptions/listen` request wants to hear of. */
export function subscribedUris(message: unknown): readonly string[] {
  if (!isObject(message) || message.method !== 'subscriptions/listen' || !isObject(message.params)) return [];
  const { notifications } = message.params;
  const uris = isObject(notifications) ? notifications.resourceSubscriptions : undefined;
  if (!Array.isArray(uris)) return [];
  return [...new Set(uris.filter((uri) => typeof uri === 'string'))].slice(0, MAX_URIS);
}
