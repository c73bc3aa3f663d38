import { isObject } from '../../../core/schema/is-object.ts';
import type { Caller } from '../../caller.ts';
import type { ServerParts } from '../../host.ts';
import type { Result } from '../../request/open-call.ts';
import { encodeTask2025 } from '../wire-2025.ts';

/** Most tasks that one client is told of; for others it asks. */
const MOST = 1_000;

interface Known {
  /** How its client was told that it stands. */
  said: string;
  stop: () => void;
}

/**
 * Tells a client of 2025-11-25 whenever one of its tasks stands differently than it was told last (`notifications/tasks/status`): of those
 * that it began or asked about on this connection.
 */
export class ToldTasks {
  readonly #host: Pick<ServerParts, 'run' | 'tasks'>;
  readonly #caller: Caller;
  readonly #tell: (task: Result) => Promise<void>;
  readonly #known = new Map<string, Known>();
  #closed = false;

  constructor(
    host: Pick<ServerParts, 'run' | 'tasks'>,
    caller: Caller,
    tell: (task: Result) => Promise<void>,
  ) {
    this.#host = host;
    this.#caller = caller;
    this.#tell = tell;
  }

  /** Its client has just been told, by an answer, how a task stands. */
  knows(task: unknown): void {
    const { tasks } = this.#host;
    if (!isObject(task) || !tasks || this.#closed) return;
    const id = String(task.taskId);
    const before = this.#known.get(id);
    if (before) before.said = saying(task);
    if (before || OVER.has(String(task.status)) || this.#known.size >= MOST) return;
    const known: Known = { said: saying(task), stop: () => {} };
    this.#known.set(id, known);
    const over = () => {
      if (this.#known.get(id) === known) this.#known.delete(id);
    };
    const told = (next: Parameters<typeof encodeTask2025>[0]) => {
      const encoded = encodeTask2025(next, tasks.pollInterval);
      if (saying(encoded) === known.said) return;
      known.said = saying(encoded);
      // What cannot be sent is lost: its client asks, too.
      this.#tell(encoded).catch(() => {});
    };
    // The answer goes out first.
    setImmediate(() => {
      if (this.#known.get(id) !== known) return;
      this.#host
        .run(() => tasks.follow({ caller: this.#caller, id }, { told, over }))
        .then((stop) => {
          known.stop = stop;
          if (this.#known.get(id) !== known) stop();
        }, over);
    });
  }

  close(): void {
    this.#closed = true;
    for (const { stop } of this.#known.values()) stop();
    this.#known.clear();
  }
}

const OVER: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

function saying({ status, statusMessage }: Result): string {
  return `${status} ${statusMessage}`;
}
