import { isObject } from '../../../core/schema/is-object.ts';
import type { Caller } from '../../caller.ts';
import type { ServerParts } from '../../host.ts';
import type { MessageTransport } from '../../stdio/line-transport.ts';
import { META } from '../../wire/meta.ts';
import {
  errorResponse,
  isRequest,
  isResponse,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
} from '../../wire/rpc/json-rpc.ts';
import { RPC, RpcError } from '../../wire/rpc/rpc-error.ts';
import { TASK_STATUS_2026 } from '../wire-2026.ts';
import { namesTasks, TaskListening } from './task-listening.ts';

/**
 * The tasks that the subscriptions of one channel name. The SDK serves those, and knows no tasks: what it acknowledges says which there are
 * besides, and their news come after that.
 */
export class ListeningOnChannel {
  readonly #host: ServerParts;
  readonly #caller: Caller;
  readonly #send: MessageTransport['send'];
  /** By the ids of their requests; `wanted` while they are looked up. */
  readonly #open = new Map<RpcId, TaskListening | 'wanted'>();

  constructor(host: ServerParts, caller: Caller, channel: MessageTransport) {
    this.#host = host;
    this.#caller = caller;
    this.#send = channel.send.bind(channel);
    channel.send = (message) => this.#sent(message);
  }

  /** Takes a message before the SDK does. */
  take(message: RpcMessage, pass: () => void): void {
    if ('method' in message && message.method === 'notifications/cancelled' && isObject(message.params)) {
      this.#end(message.params.requestId as RpcId);
    }
    if (isRequest(message) && namesTasks(message)) this.#lookUp(message, pass);
    else pass();
  }

  close(): void {
    for (const id of [...this.#open.keys()]) this.#end(id);
  }

  #lookUp(message: RpcRequest, pass: () => void): void {
    const { id } = message;
    this.#end(id);
    this.#open.set(id, 'wanted');
    TaskListening.of(this.#host, this.#caller, message).then(
      (tasks) => {
        const cancelled = this.#open.get(id) !== 'wanted';
        if (!tasks || cancelled) this.#end(id);
        else this.#open.set(id, tasks);
        if (cancelled) tasks?.close();
        else pass();
      },
      (error: unknown) => {
        this.#open.delete(id);
        const refusal = error instanceof RpcError ? error : new RpcError(RPC.internal, String(error));
        this.#tell(errorResponse(id, refusal.code, refusal.message, refusal.data) as RpcMessage);
      },
    );
  }

  async #sent(message: RpcMessage): Promise<void> {
    // It is refused, or ended.
    if (isResponse(message) && message.id !== undefined) this.#end(message.id);
    if (!('method' in message) || message.method !== ACKNOWLEDGED) return await this.#send(message);
    const { notifications, _meta } = message.params ?? {};
    const tasks = this.#open.get((isObject(_meta) ? _meta[META.subscriptionId] : undefined) as RpcId);
    if (!tasks || tasks === 'wanted' || !isObject(notifications)) return await this.#send(message);
    const accepted = { ...notifications, taskIds: tasks.accepted };
    await this.#send({ ...message, params: { ...message.params, notifications: accepted } });
    tasks.begin((task) =>
      this.#tell({ jsonrpc: '2.0', method: TASK_STATUS_2026, params: { ...task, _meta } }),
    );
  }

  /** What cannot be sent is lost: its client has gone. */
  #tell(message: RpcMessage): void {
    this.#send(message).catch(() => {});
  }

  #end(id: RpcId): void {
    const tasks = this.#open.get(id);
    this.#open.delete(id);
    if (tasks !== 'wanted') tasks?.close();
  }
}

const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';
