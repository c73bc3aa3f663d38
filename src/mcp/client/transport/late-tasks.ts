import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isObject } from '../../wire/rpc/json-rpc.ts';

/** Calls that were given up whose answers are waited for: the oldest are forgotten. */
const MOST = 1_000;

const CANCELLED = 'notifications/cancelled';

/**
 * Cancels the tasks that calls became which were given up before their server had said so: it has answered them, so it cancels nothing
 * when it hears that nobody waits. Source: MCP 2025-11-25, "Tasks"; SEP-2663: a task is cancelled with `tasks/cancel` and not otherwise.
 */
export class LateTasks {
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  /** What the calls that wait for an answer say of their client, which each request says in 2026-07-28. */
  readonly #open = new Map<RequestId, unknown>();
  readonly #givenUp = new Map<RequestId, unknown>();
  /** Requests of ours: nobody else knows of them. */
  readonly #asked = new Set<RequestId>();

  constructor(send: (message: JSONRPCMessage) => Promise<void>) {
    this.#send = send;
  }

  /** Takes note of what is sent. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { params = {} } = message;
    if ('id' in message) {
      if (message.method === 'tools/call') this.#open.set(message.id, params._meta);
      return;
    }
    const id = params.requestId as RequestId;
    if (message.method !== CANCELLED || !this.#open.has(id)) return;
    this.#givenUp.set(id, this.#open.get(id));
    this.#open.delete(id);
    const [oldest] = this.#givenUp.keys();
    if (this.#givenUp.size > MOST && oldest !== undefined) this.#givenUp.delete(oldest);
  }

  /** Looks at what has come; true where nobody else is to see it. */
  takes(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const { id } = message;
    this.#open.delete(id);
    if (this.#asked.delete(id)) return true;
    if (!this.#givenUp.has(id)) return false;
    const _meta = this.#givenUp.get(id);
    this.#givenUp.delete(id);
    const taskId = 'result' in message ? taskOf(message.result) : undefined;
    if (taskId === undefined) return false;
    const cancel = `late ${taskId}`;
    this.#asked.add(cancel);
    const params = { taskId, ...(isObject(_meta) ? { _meta: withoutToken(_meta) } : {}) };
    this.#send({ jsonrpc: '2.0', id: cancel, method: 'tasks/cancel', params }).catch(() => {
      // Its server is gone.
      this.#asked.delete(cancel);
    });
    return true;
  }
}

function taskOf(result: Readonly<Record<string, unknown>>): string | undefined {
  const task = result.resultType === 'task' ? result : result.task;
  return isObject(task) && typeof task.taskId === 'string' ? task.taskId : undefined;
}

/** Progress is of one request. */
function withoutToken({ progressToken: _, ...meta }: Readonly<Record<string, unknown>>) {
  return meta;
}
