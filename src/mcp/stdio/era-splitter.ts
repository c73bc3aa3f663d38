import { isObject } from '../../core/schema/is-object.ts';
import { type Era, eraOfMessage } from '../wire/era.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage, type RpcRequest } from '../wire/rpc/json-rpc.ts';
import { ID_IN_USE, RPC } from '../wire/rpc/rpc-error.ts';
import type { MessageTransport } from './line-transport.ts';

/** Puts a server on a channel: the one of this era. */
export type OpenEra = (era: Era, channel: MessageTransport) => Promise<void>;

/**
 * Serves both eras on one transport without a handshake that decides: each message goes to the server of its era,
 * which is loaded when its first message comes. Clients that probe with `server/discover` and then `initialize` need
 * nothing else.
 */
export class EraSplitter {
  readonly #wire: MessageTransport;
  readonly #open: OpenEra;
  readonly #channels = new Map<Era, Channel>();
  /** Requests that run: their cancellation names no era, and their answers only their ids. */
  readonly #running = new Map<RpcId, Running>();
  readonly closed: Promise<void>;

  constructor(wire: MessageTransport, open: OpenEra) {
    this.#wire = wire;
    this.#open = open;
    this.closed = new Promise((resolve) => {
      wire.onclose = () => {
        for (const channel of this.#channels.values()) channel.onclose?.();
        this.#channels.clear();
        resolve();
      };
    });
    wire.onerror = (error) => {
      for (const channel of this.#channels.values()) channel.onerror?.(error);
    };
    wire.onmessage = (message) => this.#route(message);
  }

  async start(): Promise<void> {
    await this.#wire.start();
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  #route(message: RpcMessage): void {
    const era = this.#eraOf(message);
    if (isRequest(message)) {
      if (this.#isTaken(message, era)) {
        this.#wire
          .send({ jsonrpc: '2.0', id: message.id, error: { code: RPC.invalidRequest, message: ID_IN_USE } })
          .catch(() => {});
        return;
      }
      this.#running.set(message.id, { era, method: message.method });
    }
    this.#channel(era).deliver(message);
  }

  /** A subscription may take the place of another. */
  #isTaken({ id, method }: RpcRequest, era: Era): boolean {
    const running = this.#running.get(id);
    if (!running) return false;
    return method !== 'subscriptions/listen' || running.method !== method || running.era !== era;
  }

  #eraOf(message: RpcMessage): Era {
    const cancelled =
      'method' in message && message.method === 'notifications/cancelled' ? message.params : undefined;
    const id = isObject(cancelled) ? (cancelled.requestId as RpcId) : undefined;
    if (id === undefined || this.#running.get(id)?.era !== '2026') return eraOfMessage(message);
    // What is cancelled is not answered.
    this.#running.delete(id);
    return '2026';
  }

  #channel(era: Era): Channel {
    const known = this.#channels.get(era);
    if (known) return known;
    const channel = new Channel(
      (message) => {
        if (isResponse(message) && message.id !== undefined) this.#running.delete(message.id);
        return this.#wire.send(message);
      },
      () => this.#wire.close(),
      (id) => this.#running.delete(id),
    );
    this.#channels.set(era, channel);
    this.#open(era, channel).then(
      () => channel.ready(),
      (error: unknown) => {
        this.#wire.onerror?.(error instanceof Error ? error : new Error(String(error)));
        this.close().catch(() => {});
      },
    );
    return channel;
  }
}

interface Running {
  readonly era: Era;
  readonly method: string;
}

/** What a server of one era sees of the transport. Messages wait until it is there. */
class Channel implements MessageTransport {
  onmessage?: (message: RpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #send: (message: RpcMessage) => Promise<void>;
  readonly #close: () => Promise<void>;
  /** Told of a request that gets no answer. */
  readonly drop: (id: RpcId) => void;
  #waiting: RpcMessage[] | undefined = [];

  constructor(
    send: (message: RpcMessage) => Promise<void>,
    close: () => Promise<void>,
    drop: (id: RpcId) => void,
  ) {
    this.#send = send;
    this.#close = close;
    this.drop = drop;
  }

  async start(): Promise<void> {}

  send(message: RpcMessage): Promise<void> {
    return this.#send(message);
  }

  close(): Promise<void> {
    return this.#close();
  }

  deliver(message: RpcMessage): void {
    if (this.#waiting) this.#waiting.push(message);
    else this.onmessage?.(message);
  }

  ready(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const message of waiting) this.onmessage?.(message);
  }
}
