import type { Client, Transport } from '@modelcontextprotocol/client';
import { ensure, type Operation, resource, until, useAbortSignal, withResolvers } from 'effection';
import { toError } from '../../core/errors/parley-error.ts';
import { defined } from '../../core/schema/defined.ts';
import type { Root } from '../../core/tool/context.ts';
import { boundedFetch } from '../http/bounded-fetch.ts';
import { LineTransport } from '../stdio/line-transport.ts';
import { TASK_STATUS_2025 } from '../tasks/wire-2025.ts';
import { TASK_STATUS_2026, TASKS_EXTENSION } from '../tasks/wire-2026.ts';
import { RPC, RpcError } from '../wire/rpc/rpc-error.ts';
import { foreignLine } from './calls/foreign-line.ts';
import type { CallsInFlight, ForeignLog } from './calls/in-flight.ts';
import { askKind } from './calls/line.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from './config/server-entry.ts';
import { createCredentialsLogin } from './login/credentials-login.ts';
import { withKeptMetadata } from './login/kept-metadata.ts';
import type { Login } from './login/login.ts';
import { loginFetch } from './login/login-fetch.ts';
import { withOneRefresh } from './login/one-refresh.ts';
import { everySecond } from './reader/every-second.ts';
import type { Sdk } from './reader/read-answer.ts';
import { type Json, readMessage } from './reader/read-message.ts';
import { readingFetch } from './reader/server-fetch.ts';
import { type HearMessage, ServerTransport } from './reader/server-transport.ts';
import { useServerProcess } from './transport/child-process.ts';
import {
  errorWords,
  isClosed,
  isForgotten,
  isGone,
  isLogin,
  isLoginRefused,
  isUnreachable,
} from './transport/failed-request.ts';
import { withOwnHeaders } from './transport/http/own-headers.ts';

/** What one life of a connection needs of the connection. */
export interface LinkParts {
  readonly entry: ServerEntry;
  readonly calls: CallsInFlight;
  readonly info: { readonly name: string; readonly version: string };
  readonly login?: Login;
  /** The era that the server spoke before; found out without one. */
  readonly era: '2025' | '2026' | undefined;
  log(line: ForeignLog): void;
  /** Told of each message that is sent or comes. */
  readonly hear: HearMessage | undefined;
  /** The folders of whoever connects, for when nobody calls. */
  readonly roots: (() => readonly Root[]) | undefined;
  changed(): void;
  updated(uri: string): void;
}

/** One life of a connection: a process or a session of HTTP, with the SDK's client on it. */
export interface ServerLink {
  readonly client: Client;
  readonly era: '2025' | '2026';
  /** Goes through the login that the server has asked for; false where nobody can. */
  login(): Promise<boolean>;
  /** Waits for its end, and gives why. */
  closed(): Operation<string>;
  /** False from the moment it ends. */
  isOpen(): boolean;
  /** Whether it is a session of HTTP, which its server can forget. */
  hasSession(): boolean;
  /** Asks whether anybody is there; one who does not answer for a while is taken to be. */
  isThere(): Operation<boolean>;
}

/** How long a server has to say what it speaks: it may have to be downloaded first. Milliseconds. */
const CONNECT_TIMEOUT = 60_000;

/** How long one has to say that it speaks 2026-07-28 before it is spoken to as 2025-11-25. Milliseconds. */
const STDIO_PROBE = 20_000;
const HTTP_PROBE = 10_000;

/** How long it is waited for whether a server is still there. Milliseconds. */
const PING_TIMEOUT = 5_000;

/** Logins that one connection may take. */
const MAX_LOGINS = 2;

/** Pages of a list that are read. */
const MAX_PAGES = 50;

/** Lines a second that one server may have in its log, whatever they come from. */
const LINES = 200;

interface Channel {
  readonly transport: Transport;
  /** Finishes a login that the server has asked for; false where there is none. */
  login(): Promise<boolean>;
  /** What the server said last, for when it fails. */
  lastWords(): string;
  /** Waits until it has said them, though not for long. */
  lastWordsSaid(): Operation<void>;
}

type Mode = 'auto' | 'legacy';

/**
 * Starts or reaches a server, and finds out which era it speaks. It ends with the caller.
 *
 * @throws `Error` with a sentence that says why it could not
 */
export function* useLink(given: LinkParts): Operation<ServerLink> {
  const parts = { ...given, log: gateLines(given.log) };
  const sdk = yield* until(import('@modelcontextprotocol/client'));
  try {
    return yield* connectLoggedIn(sdk, parts, parts.era === '2025' ? 'legacy' : 'auto');
  } catch (error) {
    // One that ends at what it does not know, or is silent, is spoken to as it knows: on stdio, in a new process.
    const { cause } = error as Error;
    const isReached = !(error instanceof NotLetIn) && cause !== undefined && !isUnreachable(cause);
    if (!isReached || parts.era !== undefined) throw error;
    return yield* connect(sdk, parts, 'legacy');
  }
}

/** A log that takes so many lines a second of what a server causes; the rest of that second is dropped, and said. */
export function gateLines(log: (line: ForeignLog) => void, now = Date.now): (line: ForeignLog) => void {
  const isTooMany = everySecond(LINES - 1, now, () => {
    const message = `it causes more than ${LINES} lines of log a second: the rest is dropped`;
    log({ level: 'warning', message });
  });
  return (line) => {
    if (!isTooMany()) log(line);
  };
}

/** Connects; where the server wants a login first, once more after it. */
function* connectLoggedIn(sdk: Sdk, parts: LinkParts, mode: Mode): Operation<ServerLink> {
  for (let logins = 0; ; logins++) {
    try {
      return yield* connect(sdk, parts, mode);
    } catch (error) {
      if (logins >= MAX_LOGINS || !(error instanceof LoggedIn)) throw error;
    }
  }
}

/** A connection that was not let in has logged in meanwhile. */
class LoggedIn extends Error {}

/** A connection that was not let in has no login: whatever came of it, the person was asked, and is not asked for another era. */
class NotLetIn extends Error {}

function* connect(sdk: Sdk, parts: LinkParts, mode: Mode): Operation<ServerLink> {
  let words = () => '';
  try {
    return yield* resource(function* (provide) {
      const { entry } = parts;
      const channel = yield* entry.kind === 'stdio'
        ? useStarted(entry, parts)
        : useReached(sdk, entry, parts);
      words = channel.lastWords;
      yield* provide(yield* useClient(sdk, parts, mode, channel));
    });
  } catch (error) {
    if (error instanceof LoggedIn) throw error;
    // It has ended, and has said what it had to say.
    const said = words();
    const message = errorWords(error);
    const Failed = error instanceof NotLetIn || isLogin(error) || isLoginRefused(error) ? NotLetIn : Error;
    throw new Failed(said === '' ? message : `${message} (${said})`, { cause: error });
  }
}

function useClient(sdk: Sdk, parts: LinkParts, mode: Mode, channel: Channel): Operation<ServerLink> {
  return resource(function* (provide) {
    const warn = (message: string) => parts.log({ level: 'warning', message });
    const transport = new ServerTransport(sdk, channel.transport, { warn, hear: parts.hear });
    const client = createClient(sdk, parts, mode);
    client.onerror = ({ message }) => parts.log({ level: 'debug', message });
    const ended = withResolvers<void>();
    let open = true;
    client.onclose = () => {
      open = false;
      ended.resolve();
    };
    yield* ensure(() => until(client.close().catch(() => {})));
    try {
      yield* until(client.connect(transport, { timeout: CONNECT_TIMEOUT }));
    } catch (error) {
      const isLoggedIn = error instanceof sdk.UnauthorizedError && (yield* loggedIn(channel));
      throw isLoggedIn ? new LoggedIn('log in, then connect again', { cause: error }) : error;
    }
    const era = client.getProtocolEra() === 'modern' ? '2026' : '2025';
    if (era === '2025' && client.getServerCapabilities()?.logging) {
      yield* until(client.setLoggingLevel('info').catch(() => {}));
    }
    yield* provide({
      client,
      era,
      *closed() {
        yield* ended.operation;
        yield* channel.lastWordsSaid();
        return channel.lastWords() || 'it ended the connection';
      },
      isOpen: () => open,
      hasSession: () => transport.sessionId !== undefined,
      isThere: () => isThere(client, era),
      login: channel.login,
    });
  });
}

function* loggedIn({ login }: Channel): Operation<boolean> {
  try {
    return yield* until(login());
  } catch (error) {
    throw new NotLetIn(toError(error).message, { cause: error });
  }
}

function* isThere(client: Client, era: '2025' | '2026'): Operation<boolean> {
  const options = { timeout: PING_TIMEOUT };
  try {
    yield* until<unknown>(era === '2025' ? client.ping(options) : client.discover(options));
    return true;
  } catch (error) {
    return !isGone(error) && !isClosed(error) && !isForgotten(error);
  }
}

function* useStarted(entry: StdioEntry, { log }: LinkParts): Operation<Channel> {
  const started = yield* useServerProcess(entry, (message) => log({ level: 'info', message }));
  const { stdin, stdout } = started.child;
  const lines = new LineTransport(stdout, stdin, {
    read: readMessage,
    onJunk: (line) => log({ level: 'warning', message: `it printed what is no message: ${line}` }),
  });
  return {
    transport: lines as LineTransport & Transport,
    login: async () => false,
    lastWords: () => [lines.failure?.message, started.lastWords()].filter((said) => said).join('; '),
    lastWordsSaid: started.lastWordsSaid,
  };
}

function useReached(sdk: Sdk, entry: HttpEntry, { login, log }: LinkParts): Operation<Channel> {
  return resource(function* (provide) {
    const signal = yield* useAbortSignal();
    const { url, credentials } = entry;
    const bounded = boundedFetch();
    const once = withOneRefresh(withKeptMetadata(loginFetch(url, bounded)), {
      kept: async () => await login?.provider.tokens(),
      turn: login?.turn,
    });
    const own = credentials && createCredentialsLogin(sdk, { url, credentials }, signal);
    const reading = readingFetch(bounded, (message) => log({ level: 'warning', message }));
    const watched = (own ?? login)?.watched?.(reading) ?? reading;
    const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
      fetch: withOwnHeaders(url, entry.headers, watched, login?.asking?.(once) ?? once),
      ...defined({ authProvider: own ?? login?.provider }),
      // `readLogin` does, but for a slash.
      skipIssuerMetadataValidation: true,
    });
    yield* ensure(() => until(transport.close()));
    let going: Promise<void> | undefined;
    const logIn = async ({ answer, used }: Login) => {
      const query = await answer(signal);
      if (query) await transport.finishAuth(query).finally(() => used?.());
    };
    yield* provide({
      transport,
      async login() {
        if (!login) return false;
        // Calls that are refused at one moment send the person to one page.
        going ??= logIn(login).finally(() => {
          going = undefined;
        });
        await going;
        return true;
      },
      lastWords: () => '',
      *lastWordsSaid() {},
    });
  });
}

function createClient(sdk: Sdk, parts: LinkParts, mode: Mode): Client {
  // Told at once: what waits for quiet would wait for ever for a server that is never quiet. `changed` bounds how often it reads.
  const told = { autoRefresh: false, debounceMs: 0, onChanged: () => parts.changed() };
  const client = new sdk.Client(parts.info, {
    capabilities: {
      elicitation: { form: { applyDefaults: true }, url: {} },
      sampling: { tools: {} },
      roots: parts.roots ? { listChanged: true } : {},
      extensions: { [TASKS_EXTENSION]: {} },
    },
    versionNegotiation: {
      mode,
      probe: { timeoutMs: parts.entry.kind === 'stdio' ? STDIO_PROBE : HTTP_PROBE },
    },
    listMaxPages: MAX_PAGES,
    listChanged: { tools: told, prompts: told, resources: told },
  });
  // Past the SDK's schemas: they refuse a whole question for one field that they do not know.
  client.fallbackRequestHandler = async ({ method, params = {} }, { mcpReq }) =>
    await answerRequest(parts, method, params, mcpReq.signal);
  client.fallbackNotificationHandler = async ({ method, params = {} }) =>
    hearNotification(parts, method, params);
  return client;
}

/** A question of a server of 2025-11-25. One of 2026-07-28 asks within its answers. */
async function answerRequest(
  { calls, roots }: LinkParts,
  method: string,
  params: Json,
  signal: AbortSignal,
): Promise<Json> {
  const kind = askKind(method);
  if (!kind) throw new RpcError(RPC.methodNotFound, 'Method not found');
  if (!calls.isAny && kind === 'roots' && roots) return { roots: roots() };
  return await calls.ask(kind, params, signal);
}

function hearNotification({ calls, log, changed, updated }: LinkParts, method: string, params: Json): void {
  switch (method) {
    case 'notifications/message': {
      const line = foreignLine(params.level, params.data ?? null);
      const call = calls.find();
      if (call) call.log(line);
      else log(line);
      return;
    }
    case 'notifications/resources/updated':
      updated(String(params.uri));
      return;
    // Also where the server has not declared that it says so.
    case 'notifications/tools/list_changed':
    case 'notifications/prompts/list_changed':
    case 'notifications/resources/list_changed':
      changed();
      return;
    case TASK_STATUS_2025:
    case TASK_STATUS_2026:
      calls.hearOfTask(params.taskId);
  }
}
