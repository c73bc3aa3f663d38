import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';
import { ensure, type Operation, suspend, until, useScope } from 'effection';
import { defined } from '../core/schema/defined.ts';
import type { CallPolicy } from '../mcp/client/index.ts';
import {
  BACKLOG,
  createHttpServer,
  FaultsContext,
  isFor,
  type McpServer,
  type McpServerOptions,
  newToken,
  type PageHere,
  type SurfaceOptions,
  useMcpServer,
  usePageHere,
} from '../mcp/index.ts';
import { isLocal, type ServeOptions } from './args.ts';
import type { Collection } from './collect.ts';
import type { PersonalServers } from './gateway/personal-servers.ts';
import { UsageError } from './options.ts';
import { packageVersion } from './package-info.ts';
import { tokenIn } from './secrets/token-file.ts';
import { useCodeSurface } from './serving/code-surface.ts';
import { createDrain } from './serving/drain.ts';
import { createHealth } from './serving/health.ts';
import { type ServersInbox, useInbox } from './serving/inbox.ts';
import { drainFirst } from './serving/patience.ts';
import { useSafetyNet } from './serving/safety-net.ts';
import { type OpenedState, useState } from './serving/state.ts';
import { useHoldingsOnSignal } from './serving/tell-holdings.ts';
import { tellProblems } from './serving/tell-problems.ts';
import { say } from './terminal-text.ts';

/** Where the server is on its host. */
const PATH = '/mcp';

/** There is one token and so one principal: its share is all there is. */
const WHOLE = {
  maxSessions: Number.POSITIVE_INFINITY,
  maxWaiting: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
};

/** Serves until it is halted, or until its client is gone. */
export function* serve(
  { tools, prompts, resources }: Omit<Collection, 'problems'>,
  options: ServeOptions,
  {
    statePassword,
    personal,
    policy,
    onListening,
    ...more
  }: Pick<McpServerOptions, 'client' | 'apps' | 'listsReady' | 'manager'> & {
    readonly statePassword?: string;
    readonly personal?: PersonalServers;
    readonly policy?: CallPolicy;
    onListening?(url: string): void;
  } = {},
): Operation<void> {
  yield* useSafetyNet();
  yield* FaultsContext.set(({ callId, message, cause }) =>
    say(callId === undefined ? message : `[${callId}] ${message}`, cause),
  );
  if (policy) yield* (yield* until(import('../mcp/client/index.ts'))).CallPolicyContext.set(policy);
  const report = tellProblems(Boolean(process.env.PARLEY_DEBUG));
  const state = yield* useState(options.state, report, options.limits?.store ?? {}, statePassword);
  const place: Place = { address: undefined };
  const store = typeof state.options.state === 'object' ? state.options.state : undefined;
  const offers = personal && (yield* personal.use(store, () => originOf(options, place)));
  const { lists = {} } = options;
  const progressive = yield* surfaceOf(options);
  const inbox = options.transport === 'stdio' ? yield* useInbox('parley', report, options.inbox) : undefined;
  const server = yield* useMcpServer({
    name: 'parley',
    version: packageVersion(),
    tools,
    prompts,
    resources,
    ...more,
    // Who logs in has a share; one token is all there is.
    limits: {
      ...options.limits?.manager,
      share: { ...(hasLogins(options) ? {} : WHOLE), ...options.limits?.manager.share },
    },
    ...defined({ pageSize: lists.pageSize, listChanged: lists.listChanged, progressive }),
    ...state.options,
    page: yield* pageFor(options, report, inbox),
    ...defined({ personal: offers, shown: inbox?.shown }),
    onProblem: report,
  });
  yield* useHoldingsOnSignal(server);
  if (options.transport === 'stdio') yield* until(server.listen());
  else yield* serveHttp(server, { state, options, report, place, callback: personal?.callback, onListening });
}

/** The page on which it asks the person itself: who calls it on this machine, without a login, is that person. */
function* pageFor(
  options: ServeOptions,
  report: (message: string, cause?: unknown) => void,
  inbox: ServersInbox | undefined,
): Operation<PageHere | undefined> {
  if (options.transport === 'http' && (hasLogins(options) || !isLocal(options.host))) return undefined;
  return yield* usePageHere(report, inbox);
}

/** What of the catalogue is listed; all of it by default. */
function* surfaceOf({
  code,
  lists: { searchAbove: above } = {},
}: ServeOptions): Operation<SurfaceOptions | undefined> {
  if (code) return { ...(yield* useCodeSurface()), ...(above === undefined ? {} : { withCode: 'beside' }) };
  return above === undefined ? undefined : { above };
}

/** Whether its callers are told apart. */
function hasLogins(options: ServeOptions): boolean {
  return options.transport === 'http' && options.oauth !== undefined;
}

/** Where a server is reached on this machine, once it listens. */
interface Place {
  address: string | undefined;
}

/** Where browsers reach a server: as clients know it, or on this machine. */
function originOf(options: ServeOptions, { address }: Place): string | undefined {
  if (options.transport === 'stdio') return undefined;
  if (options.oauth) return new URL(options.oauth.resource).origin;
  return isLocal(options.host) ? address : undefined;
}

/** What serving over HTTP needs beside the server. */
interface HttpParts {
  readonly state: OpenedState;
  readonly options: Extract<ServeOptions, { transport: 'http' }>;
  readonly place: Place;
  /** Answers who comes back from a login page. */
  readonly callback: PersonalServers['callback'] | undefined;
  report(message: string, cause?: unknown): void;
  readonly onListening: ((url: string) => void) | undefined;
}

/** What names no address of this machine, in the words of the system. */
const NO_ADDRESS: readonly unknown[] = ['ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'];

async function listening(http: Server, host: string): Promise<void> {
  try {
    await once(http, 'listening');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (!NO_ADDRESS.includes(code)) throw error;
    throw new UsageError(`--host: this machine has no address '${host}' (${code})`, { cause: error });
  }
}

function* serveHttp(
  server: McpServer,
  { state, options, report, place, callback, onListening }: HttpParts,
): Operation<void> {
  const { host, token: wanted } = options;
  const token =
    wanted === 'none' ? undefined : wanted === 'new' ? newToken() : yield* until(tokenIn(wanted.file));
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const handler = server.createHandler({
    hosts: [bracketed, ...options.allowHosts],
    origins: options.allowOrigins,
    // Beyond this machine a token that is shared is nobody's login.
    publish: { at: () => (isLocal(host) ? place.address : undefined) },
    ...(options.maxBody === undefined ? {} : { limits: { maxBody: options.maxBody } }),
    ...(token === undefined ? {} : { tokens: [{ token, principal: { name: 'token' } }] }),
    ...defined({ oauth: options.oauth }),
  });
  const drain = createDrain(server);
  const scope = yield* useScope();
  const health = createHealth({
    isDraining: drain.isDraining,
    keepsCalls: async () => await scope.run(() => state.keeps()),
  });
  yield* ensure(drainFirst(() => drain.run(options.drain), options.drain));
  const http = createHttpServer((req, res) => {
    if (health(req, res) || drain.refuse(req, res)) return;
    if (handler.metadata(req, res) || callback?.(req, res)) return;
    if (isFor(PATH, req)) handler(req, res);
    else if (!handler.page(req, res)) res.writeHead(404).end();
  }, report);
  yield* ensure(() => {
    http.close();
    http.closeAllConnections();
  });
  http.listen({ port: options.port, host, backlog: BACKLOG });
  yield* until(listening(http, host));
  const { port } = http.address() as AddressInfo;
  place.address = `http://${bracketed}:${port}`;
  const url = `${place.address}${PATH}`;
  // What is printed is kept in logs: who has a file reads the token there.
  const said = wanted === 'new' ? token : undefined;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ url, ...defined({ token: said }) })}\n`);
  } else {
    process.stdout.write(`Serving on ${url}\n`);
    if (said !== undefined) process.stdout.write(`Authorization: Bearer ${said}\n`);
  }
  onListening?.(url);
  yield* suspend();
}
