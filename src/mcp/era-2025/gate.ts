import type { Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/sdk/types.js';
import { isRequest, isResponse, type RpcId, type RpcMessage } from '../wire/rpc/json-rpc.ts';

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

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: <T extends JSONRPCMessage>(message: T, extra?: MessageExtraInfo) => void;

  /** @param peek sees each message before the SDK does */
  constructor(transport: DroppingTransport, peek: (message: RpcMessage) => void) {
    this.#transport = transport;
    transport.onclose = () => this.onclose?.();
    transport.onerror = (error) => this.onerror?.(error);
    transport.onmessage = (message, extra) => {
      peek(message as RpcMessage);
      this.onmessage?.(withIds(message as RpcMessage, -1) as JSONRPCMessage, extra);
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
    await this.#transport.send(withIds(rpc, 1) as JSONRPCMessage, options);
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
