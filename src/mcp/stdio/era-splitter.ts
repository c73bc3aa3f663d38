import { isObject } from '../../core/schema/is-object.ts';
import { type Era, eraOfMessage } from '../wire/era.ts';
import { asksForOffers } from '../wire/listing.ts';
import { isRequest, isResponse, type RpcId, type RpcMessage, type RpcRequest } from '../wire/rpc/json-rpc.ts';
import { ID_IN_USE, RPC } from '../wire/rpc/rpc-error.ts';
import type { MessageTransport } from './line-transport.ts';

/** How long a call may take whose client says nothing more, milliseconds: it may be gone, and what runs would run for nobody. */
const PATIENCE = 30_000;

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
  readonly #lists: Promise<void> | undefined;
  readonly #channels = new Map<Era, Channel>();
  /** Requests that run: their cancellation names no era, and their answers only their ids. */
  readonly #running = new Map<RpcId, Running>();
  /** Questions that the client has not answered. */
  readonly #asked = new Set<RpcId>();
  /** The client says nothing more. */
  #isEnded = false;
  readonly closed: Promise<void>;

  /** @param lists what requests for what is offered wait for */
  constructor(wire: MessageTransport, open: OpenEra, lists?: Promise<void>) {
    this.#wire = wire;
    this.#lists = lists;
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
    wire.onended = () => {
      this.#isEnded = true;
      const patience = setTimeout(() => this.close(), PATIENCE);
      void this.closed.then(() => clearTimeout(patience));
      this.#settle();
    };
  }

  async start(): Promise<void> {
    await this.#wire.start();
  }

  async close(): Promise<void> {
    await this.#wire.close();
  }

  /** With nothing more to come, what runs still gets its answer, unless it waits for the client. */
  #settle(): void {
    if (!this.#isEnded) return;
    const running = [...this.#running.values()].filter(({ method }) => method !== 'subscriptions/listen');
    if (running.length <= this.#asked.size) this.close().catch(() => {});
  }

  #route(message: RpcMessage): void {
    if (isResponse(message) && message.id !== undefined) this.#asked.delete(message.id);
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
    const deliver = () => this.#channel(era).deliver(message);
    if (this.#lists && isRequest(message) && asksForOffers(message)) this.#lists.then(deliver, () => {});
    else deliver();
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
      async (message) => {
        if (isResponse(message) && message.id !== undefined) this.#running.delete(message.id);
        if (isRequest(message) && message.method !== 'ping') this.#asked.add(message.id);
        await this.#wire.send(message);
        this.#settle();
      },
      () => this.#wire.close(),
      (id) => {
        this.#running.delete(id);
        this.#settle();
      },
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
