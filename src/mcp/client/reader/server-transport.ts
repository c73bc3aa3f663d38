import type {
  JSONRPCMessage,
  MessageExtraInfo,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';
import type { RpcMessage } from '../../wire/rpc/json-rpc.ts';
import { RPC } from '../../wire/rpc/rpc-error.ts';
import { everySecond } from './every-second.ts';
import { isList, readAnswer, type Sdk } from './read-answer.ts';
import { failed, type Json } from './read-message.ts';

/** Told of each message as it goes over the wire: one that was sent, or one that came. */
export type HearMessage = (direction: 'sent' | 'received', message: RpcMessage) => void;

/** What reads a server's messages needs of its connection. */
export interface ReaderParts {
  /** Says what is dropped or read otherwise than it was sent. */
  warn(problem: string): void;
  readonly hear?: HearMessage | undefined;
}

/** Notifications a second that are taken of one server. */
const NOTIFICATIONS = 500;

/** Requests that one server may have open with us. */
const MOST_ASKED = 64;

/** Requests of ours whose answers are waited for; of more, the oldest are forgotten. */
const MOST_OPEN = 1_000;

/** Characters of a list, over all its pages: each may be as long as a message, and they are kept until the last one is here. */
const LONGEST_LIST = 32 * 1024 * 1024;

const CANCELLED = 'notifications/cancelled';

interface OpenRequest {
  readonly method: string;
  readonly params: Json;
  /** Nobody waits for its answer any more. */
  isGivenUp: boolean;
  /** What may be its answer, where none comes that is. */
  perhaps?: RpcMessage;
}

/**
 * What stands between the SDK's client and a server: it reads messages as they were meant before the SDK looks at them, settles each
 * request with whatever comes of it, and bounds what comes unasked. The SDK's own transport is behind it.
 */
export class ServerTransport implements Transport {
  readonly #inner: Transport;
  readonly #sdk: Sdk;
  readonly #parts: ReaderParts;
  readonly #open = new Map<RequestId, OpenRequest>();
  /** Requests of the server, until their answer is sent. */
  readonly #asked = new Set<RequestId>();
  #refusing = 0;
  readonly #isTooMany: () => boolean;
  /** Characters that have come of each list. */
  readonly #listed = new Map<string, number>();

  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;

  constructor(sdk: Sdk, inner: Transport, parts: ReaderParts, now = Date.now) {
    this.#sdk = sdk;
    this.#inner = inner;
    this.#parts = parts;
    let said = false;
    this.#isTooMany = everySecond(NOTIFICATIONS, now, () => {
      if (!said)
        parts.warn(`it sends more than ${NOTIFICATIONS} notifications a second: the rest is dropped`);
      said = true;
    });
    inner.onclose = () => this.onclose?.();
    inner.onerror = (error) => this.onerror?.(error);
    inner.onmessage = (message, extra) => {
      parts.hear?.('received', message as RpcMessage);
      this.#received(message, extra);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  get hasPerRequestStream(): boolean {
    return this.#inner.hasPerRequestStream === true;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion?.(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    this.#parts.hear?.('sent', message as RpcMessage);
    if (!('method' in message)) {
      // Until the server has taken the answer: one that reads nothing would have us keep them all.
      return await this.#inner
        .send(message, options)
        .finally(() => this.#asked.delete(message.id as RequestId));
    }
    if (!('id' in message)) {
      if (message.method === CANCELLED) this.#giveUp(message.params?.requestId as RequestId);
      return await this.#inner.send(message, options);
    }
    // A subscription, which is not answered: whoever opens it hears of its end.
    if (options?.onRequestStreamEnd) return await this.#inner.send(message, options);
    const { id, method, params = {} } = message;
    this.#begin(id, { method, params, isGivenUp: false });
    options?.requestSignal?.addEventListener('abort', () => this.#open.delete(id), { once: true });
    const onRequestStreamEnd = () => {
      const request = this.#open.get(id);
      const ended = () => failed(id, 'the server ended the stream of the answer without an answer');
      if (request) this.#received({ ...(request.perhaps ?? ended()), id } as RpcMessage);
    };
    try {
      await this.#inner.send(message, { ...options, onRequestStreamEnd });
    } catch (error) {
      this.#open.delete(id);
      throw error;
    }
  }

  #begin(id: RequestId, request: OpenRequest): void {
    this.#open.set(id, request);
    const [oldest] = this.#open.keys();
    if (this.#open.size > MOST_OPEN && oldest !== undefined) this.#open.delete(oldest);
    if (isList(request.method) && request.params.cursor === undefined) this.#listed.set(request.method, 0);
  }

  /** A call may still become a task, which somebody has to cancel then. */
  #giveUp(id: RequestId): void {
    const request = this.#open.get(id);
    if (request?.method === 'tools/call') request.isGivenUp = true;
    else this.#open.delete(id);
  }

  #received(message: RpcMessage | JSONRPCMessage, extra?: MessageExtraInfo): void {
    if ('method' in message) {
      if ('id' in message ? this.#takes(message.id) : this.#hears(message))
        this.onmessage?.(message as JSONRPCMessage, extra);
      return;
    }
    const id = this.#idOf(message.id);
    const request = id === undefined ? undefined : this.#open.get(id);
    // The SDK says what nobody asked for, and ends what it keeps of subscriptions itself.
    if (id === undefined || !request) {
      this.onmessage?.(message as JSONRPCMessage, extra);
      return;
    }
    if (id !== message.id && this.hasPerRequestStream) {
      request.perhaps = message as RpcMessage;
      return;
    }
    this.#open.delete(id);
    if (!request.isGivenUp) {
      const read = 'result' in message ? this.#read(id, request, message.result) : { ...message, id };
      this.onmessage?.(read as JSONRPCMessage, extra);
    } else if ('result' in message) this.#cancelTask(request, message.result);
  }

  /** The request that an answer is for: some send its number as a text, and an error of what they could not read without one. */
  #idOf(id: RequestId | undefined): RequestId | undefined {
    if (id !== undefined)
      return this.#open.has(id) ? id : [...this.#open.keys()].find((open) => String(open) === String(id));
    const waiting = [...this.#open].filter(([, { isGivenUp }]) => !isGivenUp);
    return waiting.length === 1 ? waiting[0]?.[0] : undefined;
  }

  #read(id: RequestId, { method }: OpenRequest, result: Json): RpcMessage {
    if (isList(method)) {
      const come = (this.#listed.get(method) ?? 0) + JSON.stringify(result).length;
      this.#listed.set(method, come);
      if (come > LONGEST_LIST) return failed(id, `${method} is longer than ${LONGEST_LIST} characters`);
    }
    return { jsonrpc: '2.0', id, result: readAnswer(this.#sdk, method, result, this.#parts.warn) };
  }

  /** It has answered the call, so it cancels nothing when it hears that nobody waits. Source: SEP-2663; MCP 2025-11-25, "Tasks". */
  #cancelTask({ params }: OpenRequest, result: Json): void {
    const task = result.resultType === 'task' ? result : result.task;
    if (!isObject(task) || typeof task.taskId !== 'string') return;
    const { taskId } = task;
    const { progressToken: _, ...meta } = isObject(params._meta) ? params._meta : {};
    const id = `late ${taskId}`;
    this.#begin(id, { method: 'tasks/cancel', params: {}, isGivenUp: true });
    // One that is gone keeps nothing that could be cancelled from here.
    this.#inner
      .send({ jsonrpc: '2.0', id, method: 'tasks/cancel', params: { taskId, _meta: meta } })
      .catch(() => {});
  }

  #hears({ method, params }: { readonly method: string; readonly params?: Json | undefined }): boolean {
    if (method !== CANCELLED) return !this.#isTooMany();
    this.#asked.delete(params?.requestId as RequestId);
    return true;
  }

  /** A request with the id of an open one is none. */
  #takes(id: RequestId): boolean {
    if (this.#asked.has(id)) return false;
    if (this.#asked.size < MOST_ASKED) return this.#asked.add(id) !== undefined;
    if (this.#refusing < MOST_ASKED) {
      this.#refusing += 1;
      const error = { code: RPC.refused, message: `too many requests are open: ${MOST_ASKED} at most` };
      this.#inner
        .send({ jsonrpc: '2.0', id, error })
        .catch(() => {})
        .finally(() => {
          this.#refusing -= 1;
        });
    }
    return false;
  }
}
