import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/client';
import { isObject } from '../../../core/schema/is-object.ts';

/** Calls whose answers are waited for: the oldest are forgotten. Over HTTP a call that is broken off is never heard of again. */
const MOST = 1_000;

const CANCELLED = 'notifications/cancelled';

/** What our own requests are called, and nobody else's: those of the SDK are numbered. */
const OURS = 'late ';

interface SentCall {
  /** What it says of its client, which each request says in 2026-07-28. */
  readonly meta: unknown;
  readonly givenUp: boolean;
}

/**
 * Cancels the tasks that calls became which were given up before their server had said so: it has answered them, so it cancels nothing
 * when it hears that nobody waits. Source: MCP 2025-11-25, "Tasks"; SEP-2663: a task is cancelled with `tasks/cancel` and not otherwise.
 */
export class LateTasks {
  readonly #send: (message: JSONRPCMessage) => Promise<void>;
  readonly #calls = new Map<RequestId, SentCall>();

  constructor(send: (message: JSONRPCMessage) => Promise<void>) {
    this.#send = send;
  }

  /** How many calls it knows of. */
  get size(): number {
    return this.#calls.size;
  }

  /** Takes note of what is sent. */
  sent(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    const { method, params = {} } = message;
    if (method === 'tools/call' && 'id' in message) {
      this.#calls.set(message.id, { meta: params._meta, givenUp: false });
      const [oldest] = this.#calls.keys();
      if (this.#calls.size > MOST && oldest !== undefined) this.#calls.delete(oldest);
    } else if (method === CANCELLED) {
      const id = params.requestId as RequestId;
      const call = this.#calls.get(id);
      if (call) this.#calls.set(id, { ...call, givenUp: true });
    }
  }

  /** Looks at what has come; true where nobody else is to see it. */
  takes(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const { id } = message;
    if (typeof id === 'string' && id.startsWith(OURS)) return true;
    const call = this.#calls.get(id);
    this.#calls.delete(id);
    const taskId = call?.givenUp && 'result' in message ? taskOf(message.result) : undefined;
    if (call === undefined || taskId === undefined) return false;
    const meta = isObject(call.meta) ? { _meta: withoutToken(call.meta) } : {};
    const cancel = { id: `${OURS}${taskId}`, method: 'tasks/cancel', params: { taskId, ...meta } };
    // One that is gone keeps nothing that could be cancelled from here.
    this.#send({ jsonrpc: '2.0', ...cancel }).catch(() => {});
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
