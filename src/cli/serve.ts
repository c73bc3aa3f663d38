import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ensure, type Operation, suspend, until, useScope } from 'effection';
import { defined } from '../core/schema/defined.ts';
import {
  createHttpServer,
  FaultsContext,
  isFor,
  type McpServer,
  type McpServerOptions,
  newToken,
  useMcpServer,
} from '../mcp/index.ts';
import { LOOPBACK, type ServeOptions } from './args.ts';
import type { Collection } from './collect.ts';
import { packageVersion } from './package-info.ts';
import { tokenIn } from './secrets/token-file.ts';
import { useCodeSurface } from './serving/code-surface.ts';
import { createDrain } from './serving/drain.ts';
import { createHealth } from './serving/health.ts';
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
  maxParked: Number.POSITIVE_INFINITY,
  maxBytes: Number.POSITIVE_INFINITY,
};

/** Serves until it is halted, or until its client is gone. */
export function* serve(
  collection: Collection,
  options: ServeOptions,
  {
    statePassword,
    ...more
  }: Pick<McpServerOptions, 'client' | 'apps'> & { readonly statePassword?: string } = {},
): Operation<void> {
  yield* useSafetyNet();
  yield* FaultsContext.set(({ callId, message, cause }) =>
    say(callId === undefined ? message : `[${callId}] ${message}`, cause),
  );
  const report = tellProblems(Boolean(process.env.PARLEY_DEBUG));
  const state = yield* useState(options.state, report, statePassword);
  const server = yield* useMcpServer({
    name: 'parley',
    version: packageVersion(),
    ...collection,
    ...more,
    // Who logs in has a share; one token is all there is.
    ...(options.transport === 'http' && options.oauth ? {} : { limits: { share: WHOLE } }),
    ...(options.code ? { progressive: yield* useCodeSurface() } : {}),
    ...state.options,
    onProblem: report,
  });
  yield* useHoldingsOnSignal(server);
  if (options.transport === 'stdio') yield* serveStdio(server);
  else yield* serveHttp(server, state, options, report);
}

function* canKeep(state: OpenedState): Operation<boolean> {
  try {
    yield* state.check();
    return true;
  } catch {
    return false;
  }
}

function* serveStdio(server: McpServer): Operation<void> {
  // Stdout is the wire: what tools print goes where people look for it.
  console.log = console.info = console.debug = console.error;
  yield* until(server.listen());
}

function* serveHttp(
  server: McpServer,
  state: OpenedState,
  options: Extract<ServeOptions, { transport: 'http' }>,
  report: (message: string, cause?: unknown) => void,
): Operation<void> {
  const { host, token: wanted } = options;
  const token =
    wanted === 'none' ? undefined : wanted === 'new' ? newToken() : yield* until(tokenIn(wanted.file));
  let address: string | undefined;
  const bracketed = host.includes(':') ? `[${host}]` : host;
  const handler = server.createHandler({
    hosts: [bracketed, ...options.allowHosts],
    origins: options.allowOrigins,
    // Beyond this machine a token that is shared is nobody's login.
    publish: { at: () => (LOOPBACK.includes(host) ? address : undefined) },
    ...(options.maxBody === undefined ? {} : { limits: { maxBody: options.maxBody } }),
    ...(token === undefined ? {} : { tokens: [{ token, principal: { name: 'token' } }] }),
    ...defined({ oauth: options.oauth }),
  });
  const drain = createDrain(server);
  const scope = yield* useScope();
  const health = createHealth({
    isDraining: drain.isDraining,
    keepsCalls: async () => await scope.run(() => canKeep(state)),
  });
  yield* ensure(drainFirst(() => drain.run(options.drain), options.drain));
  const http = createHttpServer((req, res) => {
    if (health(req, res) || drain.refuse(req, res)) return;
    if (handler.metadata(req, res)) return;
    if (isFor(PATH, req)) handler(req, res);
    else if (!handler.page(req, res)) res.writeHead(404).end();
  }, report);
  yield* ensure(() => {
    http.close();
    http.closeAllConnections();
  });
  http.listen(options.port, host);
  yield* until(once(http, 'listening'));
  const { port } = http.address() as AddressInfo;
  address = `http://${bracketed}:${port}`;
  const url = `${address}${PATH}`;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ url, ...defined({ token }) })}\n`);
  } else {
    process.stdout.write(`Serving on ${url}\n`);
    if (token !== undefined) process.stdout.write(`Authorization: Bearer ${token}\n`);
  }
  yield* suspend();
}
