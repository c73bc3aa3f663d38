import { serveConnection } from '../apps/serve-connection.ts';
import type { Caller } from '../caller.ts';
import { Connection2025 } from '../era-2025/connection.ts';
import { serve2026 } from '../era-2026/request.ts';
import type { ServerCalls } from '../era-2026/serve-call.ts';
import type { Serving2026 } from '../era-2026/serving.ts';
import { AwaitedRequest, BOTH_GONE, cancelledBy, GONE } from '../request/awaited-request.ts';
import { answerTo } from '../request/serve-request.ts';
import { checkRevision, revisionIn } from '../wire/client-words.ts';
import { eraOfMessage } from '../wire/era.ts';
import { asksForOffers } from '../wire/listing.ts';
import {
  isRequest,
  isResponse,
  type RpcId,
  type RpcMessage,
  type RpcNotification,
  type RpcRequest,
} from '../wire/rpc/json-rpc.ts';
import { ID_IN_USE, RPC } from '../wire/rpc/rpc-error.ts';
import type { MessageTransport } from './line-transport.ts';

/** How long a call may take whose client says nothing more, milliseconds: it may be gone, and what runs would run for nobody. */
const PATIENCE = 30_000;

const LISTEN = 'subscriptions/listen';

/** Most subscriptions at once. */
const MAX_SUBSCRIPTIONS = 1024;

/** A request that runs. One of the later era ends here; the connection of the earlier one ends its own. */
interface Running {
  readonly method: string;
  readonly awaited?: AwaitedRequest;
}

/** What a channel is served with. */
export interface ChannelParts {
  readonly calls: ServerCalls;
  readonly caller: Caller;
  /** What requests for what is offered wait for. */
  readonly lists?: Promise<void> | undefined;
}

/**
 * Serves both eras on one transport without a handshake that decides: each message is of the era that it says. Clients that probe with
 * `server/discover` and then `initialize` need nothing else.
 */
export class ChannelServer {
  readonly #wire: MessageTransport;
  readonly #parts: ChannelParts;
  readonly #running = new Map<RpcId, Running>();
  /** Questions that the client has not answered. */
  readonly #asked = new Set<RpcId>();
  #connection: Connection2025 | undefined;
  #serving: Serving2026 | undefined;
  /** The client says nothing more. */
  #isEnded = false;
  readonly closed: Promise<void>;

  constructor(wire: MessageTransport, parts: ChannelParts) {
    this.#wire = wire;
    this.#parts = parts;
    this.closed = new Promise((resolve) => {
      wire.onclose = () => {
        this.#connection?.close(BOTH_GONE);
        for (const { awaited } of this.#running.values()) awaited?.end(GONE);
        this.#serving?.pages?.close();
        resolve();
      };
    });
    wire.onerror = (error) => parts.calls.host.report('a message could not be handled', error);
    wire.onmessage = (message) => this.#take(message);
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
    const running = [...this.#running.values()].filter(({ method }) => method !== LISTEN);
    // The person may answer on a page of ours, but nobody is there to be told of it.
    const { calls, caller } = this.#parts;
    const asked = this.#asked.size + (calls.host.early?.asked(caller.name) ?? 0);
    if (running.length <= asked) this.close().catch(() => {});
  }

  #take(message: RpcMessage): void {
    if (isRequest(message)) this.#request(message);
    else if (isResponse(message)) {
      if (message.id !== undefined) this.#asked.delete(message.id);
      this.#era2025().take(message);
    } else if (!this.#isCancelled(message) && eraOfMessage(message) === '2025') this.#era2025().take(message);
  }

  /** Whether a notification cancels a request of 2026-07-28, which is over then. */
  #isCancelled({ method, params = {} }: RpcNotification): boolean {
    const id = params.requestId as RpcId;
    const awaited = method === 'notifications/cancelled' ? this.#running.get(id)?.awaited : undefined;
    if (!awaited) return false;
    awaited.end(cancelledBy(params));
    this.#over(id);
    return true;
  }

  #request(message: RpcRequest): void {
    const { id, method } = message;
    const era = eraOfMessage(message);
    const before = this.#running.get(id);
    // A subscription may take the place of another.
    if (before && !(before.awaited && before.method === LISTEN && method === LISTEN && era === '2026')) {
      const error = { code: RPC.invalidRequest, message: ID_IN_USE };
      this.#wire.send({ jsonrpc: '2.0', id, error }).catch(() => {});
      return;
    }
    before?.awaited?.end(GONE);
    const awaited = new AwaitedRequest();
    this.#running.set(id, era === '2026' ? { method, awaited } : { method });
    const serve = () =>
      era === '2026' ? void this.#answer(message, awaited) : this.#era2025().take(message);
    if (this.#parts.lists && asksForOffers(message)) this.#parts.lists.then(serve, () => {});
    else serve();
  }

  /** Serves a request of 2026-07-28, and answers it. */
  async #answer(request: RpcRequest, awaited: AwaitedRequest): Promise<void> {
    const notify = (method: string, params: Readonly<Record<string, unknown>>) =>
      awaited.isOver ? Promise.resolve() : this.#wire.send({ jsonrpc: '2.0', method, params });
    const response = await answerTo(request, async () => {
      checkRevision(revisionIn(request.params));
      return await serve2026(this.#era2026(), request, { awaited, notify, holdsConnection: false });
    });
    // What is cancelled is not answered.
    if (!awaited.isOver) await this.#send(response).catch(() => {});
  }

  #era2025(): Connection2025 {
    const { calls, caller } = this.#parts;
    this.#connection ??= new Connection2025(calls.host, calls, caller, {
      send: async (message) => {
        if (isRequest(message)) this.#asked.add(message.id);
        await this.#send(message);
      },
      drop: (id) => this.#over(id),
    });
    return this.#connection;
  }

  #era2026(): Serving2026 {
    const { calls, caller } = this.#parts;
    const { host } = calls;
    this.#serving ??= {
      ...{ host, calls, caller, pages: serveConnection(host, caller) },
      subscriptions: { open: 0, most: MAX_SUBSCRIPTIONS },
    };
    return this.#serving;
  }

  #over(id: RpcId): void {
    this.#running.delete(id);
    this.#settle();
  }

  /** With its answer the id of a request is free again. */
  async #send(message: RpcMessage): Promise<void> {
    if (isResponse(message) && message.id !== undefined) this.#running.delete(message.id);
    await this.#wire.send(message);
    this.#settle();
  }
}
