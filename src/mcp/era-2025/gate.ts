import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import {
  hasRelatedTask,
  isRequest,
  isResponse,
  messageOf,
  type RpcErrorObject,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
} from '../wire/rpc/json-rpc.ts';
import { RPC } from '../wire/rpc/rpc-error.ts';

/** Who else has to do with the messages of a connection than the SDK. */
export interface GateParts {
  /** Sees each message before anybody else does. */
  peek(message: RpcMessage): void;
  /** Serves a request that the SDK would only hand on. */
  serve(request: RpcRequest): void;
}

/** A transport that can be told that a request gets no answer. */
export interface DroppingTransport extends Transport {
  drop?(id: RpcId): void;
}

/**
 * Between a server of the SDK and its transport: holds back answers to cancelled requests. The SDK does so by itself,
 * but not for the request id 0, which is what many clients begin with; and its transport is never told. For the same
 * reason its own questions begin with the id 1 on the wire: clients built on it cannot take back the one with 0.
 *
 * Requests that the SDK has no handler for go past it: it would parse each of them three times, with what has been checked by then.
 */
export class Gate implements Transport {
  readonly #transport: DroppingTransport;
  readonly #dropped = new Set<RpcId>();
  readonly #serve: (request: RpcRequest) => void;
  /** The handshake that is under way. */
  #opening: RpcId | undefined;
  /** What the client can do is known: before that its requests keep the order in which the SDK takes them. */
  #open = false;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  constructor(transport: DroppingTransport, { peek, serve }: GateParts) {
    this.#transport = transport;
    this.#serve = serve;
    transport.onclose = () => this.onclose?.();
    transport.onerror = (error) => this.onerror?.(error);
    transport.onmessage = (message, extra) => {
      peek(message as RpcMessage);
      this.#receive(message as RpcMessage, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#transport.sessionId;
  }

  start(): Promise<void> {
    return this.#transport.start();
  }

  close(): Promise<void> {
    return this.#transport.close();
  }

  setProtocolVersion(version: string): void {
    this.#transport.setProtocolVersion?.(version);
  }

  /** The answer to this request is not sent. */
  hold(id: RpcId): void {
    this.#dropped.add(id);
  }

  send(message: JSONRPCMessage | RpcMessage, options?: TransportSendOptions): Promise<void> {
    const rpc = message as RpcMessage;
    if (isResponse(rpc)) {
      if (!this.#open && rpc.id === this.#opening) {
        if ('error' in rpc) return this.#send({ ...rpc, error: handshakeError(rpc.error) }, options);
        this.#open = true;
      }
      if (rpc.id === undefined || !this.#dropped.delete(rpc.id)) return this.#send(rpc, options);
      this.#transport.drop?.(rpc.id);
      return Promise.resolve();
    }
    return this.#send(withIds(rpc, 1), options);
  }

  #send(message: RpcMessage, options?: TransportSendOptions): Promise<void> {
    return this.#transport.send(message as JSONRPCMessage, options);
  }

  #receive(message: RpcMessage, extra?: MessageExtraInfo): void {
    if (isRequest(message)) {
      if (this.#open && isPlain(message)) {
        this.#serve(message);
        return;
      }
      if (message.method === 'initialize') this.#opening = message.id;
    }
    this.onmessage?.(withIds(message, -1) as JSONRPCMessage, extra);
  }
}

/** What the SDK finds wrong with a handshake, in words: it says that as the JSON of what its schema found. */
function handshakeError(error: RpcErrorObject): RpcErrorObject {
  try {
    const [{ path, message }] = JSON.parse(error.message) as [{ path: readonly unknown[]; message: string }];
    return { code: RPC.invalidParams, message: `Invalid params: ${path.slice(1).join('.')}: ${message}` };
  } catch {
    return error;
  }
}

/** What the SDK answers itself. */
const OF_SDK: ReadonlySet<string> = new Set(['initialize', 'ping']);

/** Whether a request is none of the SDK's, and has nothing to do with tasks, which the SDK looks at. */
function isPlain(request: RpcRequest): boolean {
  const { method, params } = request;
  if (OF_SDK.has(method) || messageOf(request) === undefined) return false;
  return params === undefined || (params.task === undefined && !hasRelatedTask(params));
}

/** The message with the ids of the server's own requests moved: out with its questions, in with their answers. */
function withIds(message: RpcMessage, by: 1 | -1): RpcMessage {
  if (isResponse(message)) {
    return by === -1 && typeof message.id === 'number' ? { ...message, id: message.id + by } : message;
  }
  if (by === -1) return message;
  if (isRequest(message))
    return typeof message.id === 'number' ? { ...message, id: message.id + by } : message;
  const { method, params } = message;
  if (method !== 'notifications/cancelled' || typeof params?.requestId !== 'number') return message;
  return { ...message, params: { ...params, requestId: params.requestId + by } };
}
