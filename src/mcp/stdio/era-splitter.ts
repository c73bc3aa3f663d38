import { isObject } from '../../core/schema/is-object.ts';
import { type Era, eraOfMessage } from '../wire/era.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage } from '../wire/rpc/json-rpc.ts';
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
  /** Requests of the 2026 era that run: their cancellation names no era. */
  readonly #running = new Set<RpcId>();
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
    if (era === '2026' && isRequest(message)) this.#running.add(message.id);
    this.#channel(era).deliver(message);
  }

  #eraOf(message: RpcMessage): Era {
    const cancelled =
      'method' in message && message.method === 'notifications/cancelled' ? message.params : undefined;
    const id = isObject(cancelled) ? cancelled.requestId : undefined;
    // What is cancelled is not answered.
    return id !== undefined && this.#running.delete(id as RpcId) ? '2026' : eraOfMessage(message);
  }

  #channel(era: Era): Channel {
    const known = this.#channels.get(era);
    if (known) return known;
    const channel = new Channel(
      (message) => {
        if (era === '2026' && isResponse(message) && message.id !== undefined)
          this.#running.delete(message.id);
        return this.#wire.send(message);
      },
      () => this.#wire.close(),
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

/** What a server of one era sees of the transport. Messages wait until it is there. */
class Channel implements MessageTransport {
  onmessage?: (message: RpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #send: (message: RpcMessage) => Promise<void>;
  readonly #close: () => Promise<void>;
  #waiting: RpcMessage[] | undefined = [];

  constructor(send: (message: RpcMessage) => Promise<void>, close: () => Promise<void>) {
    this.#send = send;
    this.#close = close;
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
