import { isObject } from '../../../core/schema/is-object.ts';
import { TASK_STATUS_2026 } from '../wire-2026.ts';
import type { TaskListening } from './task-listening.ts';

/** What a stream with tasks needs of who serves it. */
export interface TaskStreamParts {
  readonly tasks: TaskListening;
  /** Between two signs of life, milliseconds. */
  readonly heartbeat: number;
  /** Resolves when the server ends its streams. */
  readonly ending: Promise<unknown>;
}

const BEAT = new TextEncoder().encode(': keepalive\n\n');

/**
 * Lays the news of tasks over a stream of `subscriptions/listen`. The SDK serves it, and knows no tasks: it ends a stream at once that
 * names nothing else. Such a stream stays open until nothing more comes of its tasks.
 */
export function withTasks(response: Response, parts: TaskStreamParts): Response {
  if (!response.body || !response.headers.get('content-type')?.startsWith('text/event-stream')) {
    parts.tasks.close();
    return response;
  }
  const reader = response.body.getReader();
  const laid = new LaidOver(reader, parts);
  const body = new ReadableStream<Uint8Array>({
    start: (out) => void laid.run(out),
    async cancel(reason) {
      laid.close();
      await reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, headers: response.headers });
}

class LaidOver {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #parts: TaskStreamParts;
  #out: ReadableStreamDefaultController<Uint8Array> | undefined;
  #beating: NodeJS.Timeout | undefined;

  constructor(reader: ReadableStreamDefaultReader<Uint8Array>, parts: TaskStreamParts) {
    this.#reader = reader;
    this.#parts = parts;
  }

  async run(out: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    this.#out = out;
    try {
      await this.#copy();
      if (this.#out) out.close();
    } catch (error) {
      if (this.#out) out.error(error);
    }
    this.close();
  }

  /** Nobody reads it any more, or nothing more comes. */
  close(): void {
    this.#out = undefined;
    clearInterval(this.#beating);
    this.#parts.tasks.close();
  }

  async #copy(): Promise<void> {
    const { tasks, heartbeat, ending } = this.#parts;
    const first = await this.#reader.read();
    const opened = first.value && acknowledgement(first.value);
    if (!opened) throw new Error('a stream of subscriptions does not begin as it did');
    const { notifications, _meta, send } = opened;
    this.#write(send({ ...notifications, taskIds: tasks.accepted }));
    const over = Promise.withResolvers<void>();
    tasks.begin((task) => this.#write(event(TASK_STATUS_2026, { ...task, _meta })), over.resolve);
    if (Object.keys(notifications).length === 0) {
      this.#beating = setInterval(() => this.#write(BEAT), heartbeat);
      await Promise.race([over.promise, ending]);
    }
    for (;;) {
      const { done, value } = await this.#reader.read();
      if (done) return;
      this.#write(value);
    }
  }

  #write(chunk: Uint8Array): void {
    this.#out?.enqueue(chunk);
  }
}

/** What the SDK says first, and how to say it with more. */
function acknowledgement(chunk: Uint8Array) {
  const [, data] = /^event: message\ndata: (.*)\n\n$/s.exec(new TextDecoder().decode(chunk)) ?? [];
  const message: unknown = data === undefined ? undefined : JSON.parse(data);
  if (!isObject(message) || typeof message.method !== 'string' || !isObject(message.params)) return undefined;
  const { method, params } = message;
  if (!isObject(params.notifications)) return undefined;
  return {
    notifications: params.notifications,
    _meta: params._meta,
    send: (notifications: object) => event(method, { ...params, notifications }),
  };
}

function event(method: string, params: object): Uint8Array {
  return new TextEncoder().encode(
    `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`,
  );
}
