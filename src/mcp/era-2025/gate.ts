import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import {
  isRequest,
  isResponse,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  type RpcResponse,
} from '../wire/rpc/json-rpc.ts';

/** A transport that can be told that a request gets no answer. */
export interface DroppingTransport extends Transport {
  drop?(id: RpcId): void;
}

/**
 * Between a server of the SDK and its transport: holds back answers to cancelled requests. The SDK does so by itself,
 * but not for the request id 0, which is what many clients begin with; and its transport is never told. For the same
 * reason its own questions begin with the id 1 on the wire: clients built on it cannot take back the one with 0.
 */
export class Gate implements Transport {
  readonly #transport: DroppingTransport;
  readonly #dropped = new Set<RpcId>();
  /** Questions with an id of ours on the wire, by that, with the one that the SDK knows. */
  readonly #named = new Map<string, RpcId>();
  /** Answers to questions that another process has asked, and this one not yet. */
  readonly #early = new Map<string, RpcResponse>();
  readonly #awaited: Set<string>;

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  /**
   * @param peek sees each message before the SDK does
   * @param awaited questions of another process that will be asked again, under their ids
   */
  constructor(
    transport: DroppingTransport,
    peek: (message: RpcMessage) => void,
    awaited: Set<string> = new Set(),
  ) {
    this.#transport = transport;
    this.#awaited = awaited;
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

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const rpc = message as RpcMessage;
    if (isResponse(rpc) && rpc.id !== undefined && this.#dropped.delete(rpc.id)) {
      this.#transport.drop?.(rpc.id);
      return;
    }
    const named = isRequest(rpc) && options?.resumptionToken;
    if (named) return await this.#ask(rpc, named, options);
    await this.#transport.send(this.#outgoing(rpc) as JSONRPCMessage, options);
  }

  /** Asks under a name. Its answer may be here already. */
  async #ask(request: RpcRequest, name: string, { relatedRequestId }: TransportSendOptions): Promise<void> {
    const early = this.#early.get(name);
    this.#early.delete(name);
    this.#awaited.delete(name);
    if (early) queueMicrotask(() => this.onmessage?.({ ...early, id: request.id } as JSONRPCMessage));
    this.#named.set(name, request.id);
    if (early) return;
    const about = relatedRequestId === undefined ? {} : { relatedRequestId };
    await this.#transport.send({ ...request, id: name } as JSONRPCMessage, about);
  }

  #receive(message: RpcMessage, extra?: MessageExtraInfo): void {
    const name = isResponse(message) && typeof message.id === 'string' ? message.id : undefined;
    const id = name === undefined ? undefined : this.#named.get(name);
    if (name !== undefined && id !== undefined) {
      this.#named.delete(name);
      this.onmessage?.({ ...message, id } as JSONRPCMessage, extra);
    } else if (name !== undefined && isResponse(message) && this.#awaited.delete(name)) {
      this.#early.set(name, message);
    } else this.onmessage?.(withIds(message, -1) as JSONRPCMessage, extra);
  }

  #outgoing(message: RpcMessage): RpcMessage {
    if (!('method' in message) || message.method !== 'notifications/cancelled') return withIds(message, 1);
    const { requestId } = message.params ?? {};
    const [name] = [...this.#named].find(([, id]) => id === requestId) ?? [];
    if (name === undefined) return withIds(message, 1);
    this.#named.delete(name);
    return { ...message, params: { ...message.params, requestId: name } };
  }
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
