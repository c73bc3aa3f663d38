import type { IncomingMessage, ServerResponse } from 'node:http';
import { isObject } from '../../../core/schema/is-object.ts';
import { sendJson } from '../../http/respond.ts';
import { SseConnection } from '../../http/sse-connection.ts';
import { AwaitedRequest } from '../../request/awaited-request.ts';
import type { Result } from '../../request/open-call.ts';
import { FIRST_STATELESS_REVISION } from '../../wire/era.ts';
import { META } from '../../wire/meta.ts';
import { isRequest, messageOf, type RpcRequest, type RpcResponse } from '../../wire/rpc/json-rpc.ts';
import { failureOf, RPC } from '../../wire/rpc/rpc-error.ts';
import type { Asked2026, Serve2026 } from '../request.ts';
import type { Sdk2026 } from '../server.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * The call of a tool in a request that the SDK would only hand on: what it checks of one, its headers and its envelope, is as it should
 * be. Whatever is not is left to the SDK, whose words a refusal has. Source: MCP 2026-07-28, "Streamable HTTP", standard headers.
 */
export function plainCallOf(sdk: Sdk2026, req: IncomingMessage, body: unknown): RpcRequest | undefined {
  if (!isObject(body) || body.method !== 'tools/call' || !isObject(body.params)) return undefined;
  const { name } = body.params;
  const version = req.headers['mcp-protocol-version'];
  const method = req.headers['mcp-method'];
  // One that is written in another way may say the same.
  if (typeof name !== 'string' || req.headers['mcp-name'] !== name || name.startsWith('=?')) return undefined;
  if (version !== FIRST_STATELESS_REVISION || method !== body.method) return undefined;
  const { kind } = sdk.classifyInboundRequest({
    httpMethod: 'POST',
    protocolVersionHeader: version,
    mcpMethodHeader: method,
    mcpNameHeader: name,
    body,
  });
  const message = kind === 'modern' ? messageOf(body) : undefined;
  return message && isRequest(message) ? message : undefined;
}

/** A call that goes past the SDK's server: what came with it, and its answer. */
export class PlainCall implements Asked2026 {
  readonly envelope: Fields;
  readonly _meta: Fields | undefined;
  readonly inputResponses: Readonly<Record<string, unknown>> | undefined;
  readonly #request: RpcRequest;
  readonly #state: unknown;
  readonly #res: ServerResponse;
  readonly #maxUnread: number;
  #stream: SseConnection | undefined;
  readonly #awaited = new AwaitedRequest();
  #answered = false;

  /** @param maxUnread bytes that may wait for a client who does not read, before its connection is dropped */
  constructor(request: RpcRequest, res: ServerResponse, maxUnread: number) {
    const { _meta, inputResponses, requestState, ...params } = request.params ?? {};
    const { envelope, rest } = lifted(isObject(_meta) ? _meta : {});
    this.envelope = envelope;
    this._meta = rest;
    this.inputResponses = isObject(inputResponses) ? answersIn(inputResponses) : undefined;
    this.#state = requestState;
    this.#request = { ...request, params: rest ? { ...params, _meta: rest } : params };
    this.#res = res;
    this.#maxUnread = maxUnread;
    res.on('close', () => {
      if (!res.writableFinished) this.#awaited.end();
    });
  }

  get signal(): AbortSignal {
    return this.#awaited.signal;
  }

  onEnd(listener: () => void): () => void {
    return this.#awaited.onEnd(listener);
  }

  requestState(): unknown {
    return this.#state;
  }

  async notify(notification: object): Promise<void> {
    if (this.#awaited.isOver || this.#answered) return;
    const res = this.#res;
    this.#stream ??= new SseConnection(res, { headers: {}, maxUnread: this.#maxUnread });
    const stream = this.#stream;
    // What waited before counts.
    if (stream.full) stream.destroy();
    else stream.event(undefined, JSON.stringify({ jsonrpc: '2.0', ...notification }));
    await stream.room();
  }

  /** Serves it, and sends its answer as `info` gives it. */
  async serve(serve: Serve2026, info: Fields): Promise<void> {
    const { id } = this.#request;
    let response: RpcResponse;
    try {
      const result = await serve(this.#request, this);
      response = { result: complete(result, info), jsonrpc: '2.0', id };
    } catch (error) {
      response = { jsonrpc: '2.0', id, error: failureOf(error) };
    }
    if (this.#awaited.isOver) return;
    this.#answered = true;
    if (this.#stream) {
      this.#stream.event(undefined, JSON.stringify(response));
      this.#stream.end();
      return;
    }
    const lacks = 'error' in response && response.error.code === RPC.missingCapability;
    sendJson(this.#res, lacks ? 400 : 200, response);
  }

  /** Ends it without an answer: its server is closed, or its principal is not let in any more. */
  close(): void {
    const res = this.#res;
    this.#awaited.end();
    if (this.#stream) this.#stream.end();
    else if (!res.headersSent) res.writeHead(499).end();
  }
}

const ENVELOPE: ReadonlySet<string> = new Set([
  META.protocolVersion,
  META.clientInfo,
  META.clientCapabilities,
  META.logLevel,
]);

/** What of the `_meta` is about the client, and the rest. */
function lifted(meta: Fields): { envelope: Fields; rest: Fields | undefined } {
  const entries = Object.entries(meta);
  const rest = entries.filter(([key]) => !ENVELOPE.has(key));
  return {
    envelope: Object.fromEntries(entries.filter(([key]) => ENVELOPE.has(key))),
    rest: rest.length === 0 ? undefined : Object.fromEntries(rest),
  };
}

/** What can be answers: neither questions nor answers in an envelope. */
function answersIn(responses: Fields): Readonly<Record<string, unknown>> {
  const answers = Object.entries(responses).filter(
    ([, one]) => isObject(one) && !('method' in one) && !('result' in one),
  );
  return Object.fromEntries(answers);
}

/** A result as it goes out: whole unless it says otherwise, and from this server. */
function complete(result: Result, info: Fields): Result {
  const _meta = { [META.serverInfo]: info, ...(isObject(result._meta) ? result._meta : {}) };
  return { ...result, resultType: result.resultType ?? 'complete', _meta };
}
