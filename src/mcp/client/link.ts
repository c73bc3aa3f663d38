import type { Client, Transport } from '@modelcontextprotocol/client';
import { defined } from '../../core/schema/defined.ts';
import { isObject } from '../../core/schema/is-object.ts';
import type { Root } from '../../core/tool/context.ts';
import { boundedFetch } from '../http/bounded-fetch.ts';
import { LineTransport } from '../stdio/line-transport.ts';
import { TASKS_EXTENSION } from '../tasks/wire-2026.ts';
import { foreignLine } from './calls/foreign-line.ts';
import type { CallsInFlight, ForeignAskKind, ForeignLog } from './calls/in-flight.ts';
import type { HttpEntry, ServerEntry, StdioEntry } from './config/server-entry.ts';
import { createCredentialsLogin } from './login/credentials-login.ts';
import { withKeptMetadata } from './login/kept-metadata.ts';
import type { Login } from './login/login.ts';
import { loginFetch } from './login/login-fetch.ts';
import { withOneRefresh } from './login/one-refresh.ts';
import { startProcess } from './transport/child-process.ts';
import {
  isClosed,
  isForgotten,
  isGone,
  isLogin,
  isLoginRefused,
  isUnreachable,
} from './transport/failed-request.ts';
import { gateFloods, gateLines } from './transport/flood-gate.ts';
import { hearInCall } from './transport/hear-in-call.ts';
import { withOwnHeaders } from './transport/http/own-headers.ts';
import { failUnanswered } from './transport/http/unanswered.ts';
import { type HearMessage, overhear } from './transport/overhear.ts';
import { keepWholeItems } from './transport/whole-items.ts';

/** The lists of a server that can change. */
export type ChangedList = 'tools' | 'prompts' | 'resources';

/** What one life of a connection needs of the connection. */
export interface LinkParts {
  readonly entry: ServerEntry;
  readonly calls: CallsInFlight;
  readonly info: { readonly name: string; readonly version: string };
  readonly login?: Login;
  /** Aborts when the connection is not wanted any more, also while it opens. */
  readonly signal: AbortSignal;
  /** The era that the server spoke before; found out without one. */
  readonly era: '2025' | '2026' | undefined;
  log(line: ForeignLog): void;
  /** Told of each message that is sent or comes. */
  readonly hear: HearMessage | undefined;
  /** The folders of whoever connects, for when nobody calls. */
  readonly roots: (() => readonly Root[]) | undefined;
  changed(list: ChangedList): void;
  updated(uri: string): void;
}

/** One life of a connection: a process or a session of HTTP, with the SDK's client on it. */
export interface ServerLink {
  readonly client: Client;
  readonly era: '2025' | '2026';
  /** Goes through the login that the server has asked for; false where nobody can. */
  login(): Promise<boolean>;
  /** Why it ended, when it has. */
  readonly closed: Promise<string>;
  /** False from the moment it ends: `closed` may say why a little later. */
  isOpen(): boolean;
  /** Whether it is a session of HTTP, which its server can forget. */
  hasSession(): boolean;
  /** Asks whether anybody is there; one who does not answer for a while is taken to be. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

/** How long a server has to say what it speaks: it may have to be downloaded first. Milliseconds. */
const CONNECT_TIMEOUT = 60_000;

/** How long one has to say that it speaks 2026-07-28 before it is spoken to as 2025-11-25. Milliseconds. */
const STDIO_PROBE = 20_000;
const HTTP_PROBE = 10_000;

/** How long it is waited for whether a server is still there. Milliseconds. */
const PING_TIMEOUT = 5_000;

/** A person may take their time over the rounds of a call: only a server that asks without end is stopped. */
const MAX_ROUNDS = 1_000;

/** Logins that one connection may take. */
const MAX_LOGINS = 2;

/** Pages of a list that are read. */
const MAX_PAGES = 50;

interface Channel {
  readonly transport: Transport;
  /** Finishes a login that the server has asked for; false where there is none. */
  login(): Promise<boolean>;
  /** What the server said last, for when it fails. */
  lastWords(): string;
  /** Waits until it has said them, though not for long. */
  lastWordsSaid(): Promise<void>;
  end(): Promise<void>;
}

type Sdk = typeof import('@modelcontextprotocol/client');

/** Starts or reaches a server and finds out which era it speaks. @throws `Error` with a sentence that says why it could not */
export async function openLink(given: LinkParts): Promise<ServerLink> {
  const parts = { ...given, log: gateLines(given.log) };
  const sdk = await import('@modelcontextprotocol/client');
  try {
    return await connectLoggedIn(sdk, parts, parts.era === '2025' ? 'legacy' : 'auto');
  } catch (error) {
    // One that ends at what it does not know, or is silent, is spoken to as it knows: on stdio, in a new process.
    const { cause } = error as Error;
    const isReached = !(error instanceof NotLetIn) && cause !== undefined && !isUnreachable(cause);
    if (!isReached || parts.era !== undefined || parts.signal.aborted) throw error;
    return await connect(sdk, parts, 'legacy');
  }
}

/** Connects; where the server wants a login first, once more after it. */
async function connectLoggedIn(sdk: Sdk, parts: LinkParts, mode: 'auto' | 'legacy'): Promise<ServerLink> {
  for (let logins = 0; ; logins++) {
    try {
      return await connect(sdk, parts, mode);
    } catch (error) {
      if (logins >= MAX_LOGINS || !(error instanceof LoggedIn)) throw error;
    }
  }
}

/** A connection that was not let in has logged in meanwhile. */
class LoggedIn extends Error {}

/** A connection that was not let in has no login: whatever came of it, the person was asked, and is not asked for another era. */
class NotLetIn extends Error {}

async function connect(sdk: Sdk, parts: LinkParts, mode: 'auto' | 'legacy'): Promise<ServerLink> {
  const { entry } = parts;
  const channel =
    entry.kind === 'stdio' ? await startedServer(entry, parts) : reachedServer(sdk, entry, parts);
  // What is not wanted any more waits for no answer.
  const stop = () => void channel.end();
  parts.signal.addEventListener('abort', stop);
  if (parts.signal.aborted) stop();
  if (parts.hear) overhear(channel.transport, parts.hear);
  const warn = (message: string) => parts.log({ level: 'warning', message });
  gateFloods(channel.transport, warn, keepWholeItems(sdk, warn));
  if (entry.kind === 'stdio') hearInCall(channel.transport, parts.calls);
  const report = ({ message }: Error) => parts.log({ level: 'debug', message });
  const client = createClient(sdk, parts, mode);
  client.onerror = report;
  const why = () => channel.lastWords() || 'it ended the connection';
  let open = true;
  const closed = new Promise<string>((resolve) => {
    client.onclose = () => {
      open = false;
      channel.lastWordsSaid().then(() => resolve(why()));
    };
  });
  try {
    await client.connect(channel.transport, { timeout: CONNECT_TIMEOUT });
    const era = client.getProtocolEra() === 'modern' ? '2026' : '2025';
    if (era === '2025' && client.getServerCapabilities()?.logging) {
      await client.setLoggingLevel('info').catch(() => {});
    }
    return {
      client,
      era,
      closed,
      isOpen: () => open,
      hasSession: () => 'sessionId' in channel.transport && channel.transport.sessionId !== undefined,
      isThere: () => isThere(client, era),
      login: () => channel.login(),
      async close() {
        await client.close().catch(() => {});
        await channel.end();
      },
    };
  } catch (error) {
    let why = error;
    const notLetIn = isLogin(error) || isLoginRefused(error);
    const loggedIn =
      error instanceof sdk.UnauthorizedError &&
      (await channel.login().catch((cause: unknown) => {
        why = cause;
        return false;
      }));
    await client.close().catch(() => {});
    await channel.end();
    if (loggedIn) throw new LoggedIn('log in, then connect again', { cause: error });
    const said = channel.lastWords();
    const { message } = why as Error;
    const Failed = notLetIn ? NotLetIn : Error;
    throw new Failed(said === '' ? message : `${message} (${said})`, { cause: why });
  }
}

async function isThere(client: Client, era: '2025' | '2026'): Promise<boolean> {
  const options = { timeout: PING_TIMEOUT };
  try {
    await (era === '2025' ? client.ping(options) : client.discover(options));
    return true;
  } catch (error) {
    return !isGone(error) && !isClosed(error) && !isForgotten(error);
  }
}

async function startedServer(entry: StdioEntry, { log }: LinkParts): Promise<Channel> {
  const started = await startProcess(entry, (message) => log({ level: 'info', message }));
  const { stdin, stdout } = started.child;
  const lines = new LineTransport(stdout, stdin, (line) =>
    log({ level: 'warning', message: `it printed what is no message: ${line}` }),
  );
  return {
    transport: lines as LineTransport & Transport,
    login: async () => false,
    lastWords: () => [lines.failure?.message, started.lastWords()].filter((said) => said).join('; '),
    lastWordsSaid: () => started.lastWordsSaid(),
    end: () => started.end(),
  };
}

function reachedServer(sdk: Sdk, entry: HttpEntry, { login, signal }: LinkParts): Channel {
  const { url, credentials } = entry;
  const bounded = boundedFetch();
  const once = withOneRefresh(withKeptMetadata(loginFetch(url, bounded)), {
    kept: async () => await login?.provider.tokens(),
    turn: login?.turn,
  });
  const toLogIn = login?.asking?.(once) ?? once;
  const own = credentials && createCredentialsLogin(sdk, { url, credentials }, signal);
  const transport = new sdk.StreamableHTTPClientTransport(new URL(url), {
    fetch: withOwnHeaders(url, entry.headers, (own ?? login)?.watched?.(bounded) ?? bounded, toLogIn),
    ...defined({ authProvider: own ?? login?.provider }),
  });
  failUnanswered(transport);
  let going: Promise<void> | undefined;
  const logIn = async ({ answer, used }: Login) => {
    const query = await answer(signal);
    if (query) await transport.finishAuth(query).finally(() => used?.());
  };
  return {
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
    lastWordsSaid: async () => {},
    end: () => transport.close(),
  };
}

function createClient(sdk: Sdk, parts: LinkParts, mode: 'auto' | 'legacy'): Client {
  const { calls, log, changed, updated } = parts;
  // Told at once: what waits for quiet would wait for ever for a server that is never quiet. `changed` bounds how often it reads.
  const told = (list: ChangedList) => ({
    autoRefresh: false,
    debounceMs: 0,
    onChanged: () => changed(list),
  });
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
    inputRequired: { maxRounds: MAX_ROUNDS },
    listMaxPages: MAX_PAGES,
    listChanged: { tools: told('tools'), prompts: told('prompts'), resources: told('resources') },
    // Schemas of strangers are checked by ours, without making code of them or running their expressions.
    jsonSchemaValidator: {
      getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
    },
  });
  const asked =
    (kind: ForeignAskKind) =>
    (request: { params?: unknown }, { mcpReq }: { mcpReq: { signal: AbortSignal } }) => {
      if (!calls.isAny && kind === 'roots' && parts.roots) return { roots: parts.roots() } as never;
      return calls.ask(kind, isObject(request.params) ? request.params : {}, mcpReq.signal) as Promise<never>;
    };
  client.setRequestHandler('elicitation/create', asked('elicit'));
  client.setRequestHandler('sampling/createMessage', asked('sample'));
  client.setRequestHandler('roots/list', asked('roots'));
  client.setNotificationHandler('notifications/message', ({ params: { level, data } }) => {
    const line = foreignLine(level, data);
    const call = calls.find();
    if (call) call.log(line);
    else log(line);
  });
  client.setNotificationHandler('notifications/resources/updated', ({ params: { uri } }) => updated(uri));
  return client;
}
