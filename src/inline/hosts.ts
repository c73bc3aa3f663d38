import * as z from 'zod/mini';
import { isObject } from '../core/schema/is-object.ts';
import type { ClientCapabilities } from '../core/tool/context.ts';
import { decodeCapabilities } from '../mcp/wire/capabilities.ts';
import { META, type ProgressToken, progressTokenOf } from '../mcp/wire/meta.ts';

/** What the hosts of handlers hand to them, as one. */
export interface Host {
  /** The request is one of 2026-07-28: its answer may be a question. */
  readonly carries: boolean;
  /** As it came, or as the server's hook has opened it. */
  readonly state: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly capabilities: ClientCapabilities;
  readonly clientInfo: unknown;
  readonly principal: string | undefined;
  readonly signal: AbortSignal | undefined;
  readonly progressToken: ProgressToken | undefined;
  /** Asks the client within the request. */
  ask(method: string, params: Params): Promise<unknown>;
  log(level: string, data: unknown): Promise<void>;
  notify(method: string, params: Params): Promise<void>;
}

type Params = Readonly<Record<string, unknown>>;

/** A request of 2026-07-28 for servers without an SDK: `straight(…)(args, { params })`, with the parameters of its `tools/call`. */
export interface InlineRequest {
  readonly params: Params;
  /** Whose call it is. */
  readonly principal?: string;
  readonly signal?: AbortSignal;
  /** Sends a notification that belongs to the request. */
  notify?(method: string, params: Params): Promise<void>;
}

/** @throws `TypeError` for what no known host hands over */
export function hostOf(given: unknown, timeout: number): Host {
  // A host is known by one thing that only it has; the rest of its shape is what its own types promise.
  if (isObject(given) && isObject(given.mcpReq))
    return sdk2(given, given.mcpReq as unknown as Request2, timeout);
  if (isObject(given) && typeof given.sendRequest === 'function')
    return sdk1(given as unknown as Extra1, timeout);
  if (isObject(given) && typeof given.elicit === 'function')
    return fastmcp(given as unknown as FastContext, timeout);
  if (isObject(given) && isObject(given.params)) return plain(given as unknown as InlineRequest);
  throw new TypeError(
    'straight(…) is the handler of a tool: of McpServer of SDK v1 or v2, execute of fastmcp, or called with { params } of a tools/call',
  );
}

const FORMS: ClientCapabilities = Object.freeze({ elicitation: Object.freeze({ form: true, url: true }) });
const ALL: ClientCapabilities = Object.freeze({
  ...FORMS,
  sampling: Object.freeze({ tools: true }),
  roots: true,
});
/** SDK v1 parses what comes back. */
const anything = z.looseObject({});
const NONE: ClientCapabilities = Object.freeze({});

interface AuthInfo {
  readonly clientId?: unknown;
  readonly extra?: Params;
}

/** Who has logged in: the person where the token says who that is, for a client is many people's. */
function principalOf(auth: AuthInfo | undefined): string | undefined {
  return auth && JSON.stringify([auth.clientId ?? null, auth.extra?.sub ?? auth.extra?.userId ?? null]);
}

interface Request2 {
  readonly id: unknown;
  readonly envelope?: Params;
  readonly inputResponses?: Params;
  readonly _meta?: Params;
  readonly signal: AbortSignal;
  requestState(): unknown;
  send(request: { method: string; params: Params }, options: object): Promise<unknown>;
  notify(notification: { method: string; params: Params }): Promise<void>;
  log(level: string, data: unknown): Promise<void>;
}

function sdk2(given: Params, request: Request2, timeout: number): Host {
  const { envelope, signal } = request;
  const http = given.http as { readonly authInfo?: AuthInfo } | undefined;
  const carries = envelope?.[META.protocolVersion] !== undefined;
  // Of a client of 2025 the handler is not told: it is asked, and says so. Without a session no answer would find its way back.
  const within = http && given.sessionId === undefined ? NONE : ALL;
  return {
    carries,
    state: carries ? request.requestState() : undefined,
    responses: answersIn(request.inputResponses),
    capabilities: carries ? decodeCapabilities(envelope?.[META.clientCapabilities]) : within,
    clientInfo: envelope?.[META.clientInfo],
    principal: principalOf(http?.authInfo),
    signal,
    progressToken: progressTokenOf(request._meta ?? {}),
    // Not `elicitInput`: that one throws what the person has typed wrong, in place of asking again.
    ask: (method, params) =>
      request.send({ method, params }, { timeout, signal, relatedRequestId: request.id }),
    log: (level, data) => request.log(level, data),
    notify: (method, params) => request.notify({ method, params }),
  };
}

interface Extra1 {
  readonly sessionId?: string;
  readonly requestInfo?: unknown;
  readonly authInfo?: AuthInfo;
  readonly _meta?: Params;
  readonly signal: AbortSignal;
  sendRequest(
    request: { method: string; params: Params },
    schema: unknown,
    options: object,
  ): Promise<unknown>;
  sendNotification(notification: { method: string; params: Params }): Promise<void>;
}

function sdk1(extra: Extra1, timeout: number): Host {
  const { signal } = extra;
  return {
    ...{ carries: false, state: undefined, responses: {}, clientInfo: undefined },
    capabilities: extra.requestInfo !== undefined && extra.sessionId === undefined ? NONE : ALL,
    principal: principalOf(extra.authInfo),
    signal,
    progressToken: progressTokenOf(extra._meta ?? {}),
    ask: (method, params) => extra.sendRequest({ method, params }, anything, { timeout, signal }),
    log: (level, data) =>
      extra.sendNotification({ method: 'notifications/message', params: { level, data } }),
    notify: (method, params) => extra.sendNotification({ method, params }),
  };
}

interface FastContext {
  readonly session?: unknown;
  readonly signal?: AbortSignal;
  readonly log: Readonly<Record<string, (message: string, data?: unknown) => void>>;
  elicit(params: Params, options: object): Promise<unknown>;
  reportProgress(progress: Params): Promise<void>;
}

/** What its SDK says of an answer that it does not let through. */
const UNFIT = /does not match requested schema|Error validating elicitation response/;

/** The levels that fastmcp has. */
const FAST_LEVELS: Readonly<Record<string, string>> = {
  debug: 'debug',
  info: 'info',
  notice: 'info',
  warning: 'warn',
};

function fastmcp(context: FastContext, timeout: number): Host {
  const { signal, session } = context;
  return {
    ...{ carries: false, state: undefined, responses: {}, clientInfo: undefined },
    // Its context has no sampling and no roots.
    capabilities: FORMS,
    principal: session === undefined ? undefined : JSON.stringify(session),
    signal,
    // It knows itself whether its client wants progress.
    progressToken: 'fastmcp',
    async ask(_method, params) {
      try {
        return await context.elicit(params, { timeout, signal });
      } catch (error) {
        // An answer that its SDK found wrong is no answer: the question is asked again.
        if (error instanceof Error && UNFIT.test(error.message)) return undefined;
        throw error;
      }
    },
    async log(level, data) {
      const text = isObject(data) ? String(data.message) : String(data);
      context.log[FAST_LEVELS[level] ?? 'error']?.(text, isObject(data) ? data.data : undefined);
    },
    notify: (_method, { progressToken: _, ...progress }) => context.reportProgress(progress),
  };
}

function plain({ params, principal, signal, notify }: InlineRequest): Host {
  const meta = isObject(params._meta) ? params._meta : {};
  const send = async (method: string, said: Params) => await notify?.(method, said);
  return {
    carries: true,
    state: params.requestState,
    responses: answersIn(params.inputResponses),
    capabilities: decodeCapabilities(meta[META.clientCapabilities]),
    clientInfo: meta[META.clientInfo],
    ...{ principal, signal },
    progressToken: progressTokenOf(meta),
    ask: () => Promise.reject(new Error('a request of 2026-07-28 is answered with its questions')),
    log: (level, data) => send('notifications/message', { level, data }),
    notify: send,
  };
}

/** What can be answers: neither questions nor answers in an envelope. */
function answersIn(responses: unknown): Params {
  if (!isObject(responses)) return {};
  const answers = Object.entries(responses).filter(
    ([, one]) => isObject(one) && !('method' in one) && !('result' in one),
  );
  return Object.fromEntries(answers);
}
