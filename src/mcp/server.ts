import { ensure, type Operation, resource, until, useScope } from 'effection';
import { defined } from '../core/schema/defined.ts';
import { captureContexts } from '../core/world/call-context.ts';
import type { Caller } from './caller.ts';
import { checkHandlerOptions } from './check-options.ts';
import { createHost, type ServerSource } from './create-host.ts';
import { Connection2025 } from './era-2025/connection.ts';
import { HttpSessions } from './era-2025/http-sessions.ts';
import { Http2026 } from './era-2026/http-2026.ts';
import { countCalls, type Holding } from './holdings.ts';
import type { ServerParts } from './host.ts';
import type { TokenAccess } from './http/guard.ts';
import { createEndpoint, type HttpHandler } from './http/handler.ts';
import { HTTP_LIMITS } from './http/limits.ts';
import { createOAuthLogin } from './login/oauth-login.ts';
import type { HandlerOptions, McpServerOptions } from './options.ts';
import { PublishedPages } from './published/published-pages.ts';
import { disconnect } from './request/disconnect.ts';
import { ChannelServer } from './stdio/channel-server.ts';
import { LineTransport, type MessageTransport } from './stdio/line-transport.ts';
import { takeStdout } from './stdio/own-stdout.ts';

/** A server on one transport. */
export interface McpConnection {
  /** Resolves when the client has gone, or the connection was closed. */
  readonly closed: Promise<void>;
  close(): Promise<void>;
}

/** Tools, prompts and resources for any MCP client of either protocol era. */
export interface McpServer {
  /**
   * Serves on stdin and stdout until stdin ends, and whoever asked before has an answer; what is printed from then on goes to
   * stderr. Rejects when what comes in cannot be read on: a line without end.
   */
  listen(): Promise<void>;
  /** A request listener for `node:http`: Streamable HTTP, both eras on one endpoint. */
  createHandler(options?: HandlerOptions): HttpHandler;
  /** Serves on a transport of your own. */
  connect(transport: MessageTransport): Promise<McpConnection>;
  /** Tells subscribers that a resource has changed. */
  resourceChanged(uri: string): void;
  /**
   * Tells the client that was sent to this page (`ctx.elicit({ mode: 'url', … })`, `UrlElicitationRequiredError`) that the
   * person has done there what they were sent for: for who hears of it outside of the call. Clients of 2026-07-28 are not told.
   */
  pageCompleted(elicitationId: string): void;
  /** The calls that have not ended, counted by principal and status: for whoever looks after the server. */
  holdings(): Promise<readonly Holding[]>;
  /** Ends everything: every call is aborted, and its cleanup waited for. */
  close(): Promise<void>;
}

/**
 * Makes a server. Nothing listens yet.
 *
 * @example
 * const server = createMcpServer({ name: 'travel', version: '1.0.0', tools: [bookFlight] });
 * await server.listen();
 */
export function createMcpServer(options: McpServerOptions): McpServer {
  return serverOn(
    options,
    createHost(options, () => {}),
  );
}

/** A server as a resource: closed with the scope that uses it. Its calls run in the contexts of that scope. */
export function useMcpServer(options: McpServerOptions): Operation<McpServer> {
  return resource(function* (provide) {
    const server = serverOn(options, createHost(options, captureContexts(yield* useScope())));
    yield* ensure(() => until(server.close()));
    yield* provide(server);
  });
}

function serverOn(options: McpServerOptions, source: ServerSource): McpServer {
  const open = new Set<{ close(): Promise<void> }>();
  let connections = 0;

  const callerOf = (name: string): Caller => ({
    name,
    ...(options.client ? { client: options.client } : {}),
  });

  /** Who has nobody of their own to answer calls has whom the server has. */
  const answered = (caller: Caller): Caller => ({ ...defined({ client: options.client }), ...caller });

  /** Answers requests for pages that were published. */
  const servedPages =
    (published: PublishedPages | undefined, limits: typeof HTTP_LIMITS): HttpHandler['page'] =>
    (req, res) => {
      if (!published || !req.url?.startsWith('/ask/')) return false;
      serve(published, limits, req, res).catch((cause: unknown) => {
        options.onProblem?.('a page could not be served', cause);
        res.destroy();
      });
      return true;
    };

  async function serve(
    published: PublishedPages,
    limits: typeof HTTP_LIMITS,
    ...[req, res]: Parameters<HttpHandler['page']>
  ): Promise<void> {
    const [{ host }, { servePage }] = await Promise.all([source.get(), import('./published/page-server.ts')]);
    const { appPages: pages, run } = host;
    if (pages) await servePage({ published, pages, limits, run }, req, res);
    else res.writeHead(404).end();
  }

  async function connect(transport: MessageTransport): Promise<McpConnection> {
    const { host, calls } = await source.get();
    const caller = callerOf(`connection ${++connections}`);
    const served = new ChannelServer(transport, { calls, caller, lists: options.listsReady });
    open.add(served);
    const closed = served.closed.then(() => {
      open.delete(served);
      for (const session of calls.calls.abandon(caller.name)) {
        host
          .run(() => disconnect(session, 'the MCP client', 'the client is gone'))
          .catch((cause: unknown) => host.report('abort', cause));
      }
      host
        .run(() => abandonTasks(host, caller.name, 'the client is gone'))
        .catch((cause: unknown) => host.report('abort', cause));
    });
    await served.start();
    return { closed, close: () => served.close() };
  }

  function createHandler(given: HandlerOptions = {}): HttpHandler {
    checkHandlerOptions(given);
    const { tokens, hosts, origins, publish, oauth } = given;
    const limits = { ...HTTP_LIMITS, ...given.limits };
    const published = publish && new PublishedPages(publish);
    const callers = new WeakMap<Caller, Caller>();
    const known = (access: TokenAccess<Caller>) => ({ ...access, principal: completed(access.principal) });
    /** One object for each of them: what it may see is kept by it. */
    const completed = (principal: Caller): Caller => {
      const made = callers.get(principal) ?? { ...answered(principal), ...defined({ published }) };
      callers.set(principal, made);
      return made;
    };
    const { personal } = options;
    const report = options.onProblem ?? (() => {});
    if (oauth?.toolScopes && options.progressive) {
      throw new TypeError(
        'scopes of tools are for those that clients call by name: with `progressive` they do not',
      );
    }
    const login = oauth && createOAuthLogin(oauth, (name) => completed(callerOf(name)), report);
    const anonymous =
      tokens === undefined && !oauth ? completed({ ...callerOf('anonymous'), shared: true }) : undefined;
    const endpoint = createEndpoint({
      limits,
      report,
      login,
      ...defined({ use: personal && ((principal: string) => personal(principal).use()) }),
      guard: {
        tokens: () => (typeof tokens === 'function' ? tokens() : (tokens ?? [])).map(known),
        anonymous,
        ...(hosts ? { hosts } : {}),
        ...(origins ? { origins } : {}),
      },
      async start() {
        const { host, calls } = await source.get();
        const sessions = new HttpSessions(
          limits,
          (session, caller) => new Connection2025(host.for(caller.name), calls, caller, session),
        );
        return { '2025': sessions, '2026': new Http2026(host, calls, limits) };
      },
    });
    const { dismiss } = endpoint;
    open.add(endpoint);
    return Object.assign(endpoint, {
      page: servedPages(published, limits),
      async dismiss(principal: string, why: string) {
        await dismiss(principal, why);
        const { host } = await source.get();
        await host.run(() => abandonTasks(host, principal, why));
      },
    });
  }

  return {
    connect,
    createHandler,
    async listen() {
      const output = takeStdout();
      const transport = new LineTransport(process.stdin, output);
      const { closed } = await connect(transport);
      await closed;
      if (!output.destroyed) await new Promise<void>((written) => output.write('', () => written()));
      if (transport.failure) throw transport.failure;
    },
    resourceChanged(uri) {
      source.get().then(
        ({ host }) => host.changes.resourceUpdated(uri),
        (cause: unknown) => options.onProblem?.('the server could not start', cause),
      );
    },
    pageCompleted(elicitationId) {
      source.get().then(
        ({ host }) => host.sentPages.complete(elicitationId),
        () => {},
      );
    },
    async holdings() {
      const { host } = await source.get();
      return countCalls(host.manager.listActive());
    },
    async close() {
      await Promise.allSettled([...open].map((one) => one.close()));
      await source.close();
    },
  };
}

/** Ends the tasks of a principal who is gone. */
function* abandonTasks({ tasks }: ServerParts, principal: string, why: string): Operation<void> {
  if (tasks) yield* tasks.abandon(principal, why);
}
