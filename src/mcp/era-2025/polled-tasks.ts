/** A task that still asks so long after a poll has said so is asked about by us, milliseconds. */
const PATIENCE = 500;

interface Polled {
  /** When its client was first told that it asks. */
  readonly since: number;
  /** Our questions for it are out. */
  asking?: AbortController;
}

/**
 * Tasks whose client only polls. In 2025-11-25 a client that hears that its task asks fetches the result (`tasks/result`), and is asked on the stream
 * of that request. VS Code does not: it polls on until the task is over. So where a task still asks at a later poll, and nobody fetches its
 * result, its questions go out on the connection's own stream.
 */
export class PolledTasks {
  readonly #tasks = new Map<string, Polled>();
  readonly #ask: (taskId: string, signal: AbortSignal) => Promise<unknown>;

  /** @param ask waits for the result as the client would, with its questions on the connection's own stream */
  constructor(ask: (taskId: string, signal: AbortSignal) => Promise<unknown>) {
    this.#ask = ask;
  }

  /** A client was told how a task stands. */
  polled(taskId: string, status: unknown): void {
    const known = this.#tasks.get(taskId);
    if (known?.asking) return;
    if (status !== 'input_required') this.#tasks.delete(taskId);
    else if (!known) this.#tasks.set(taskId, { since: performance.now() });
    else if (performance.now() - known.since >= PATIENCE) this.#begin(taskId, known);
  }

  /** A client waits for the result of a task: it is asked on the stream of that request. */
  fetched(taskId: string): void {
    const known = this.#tasks.get(taskId);
    this.#tasks.delete(taskId);
    known?.asking?.abort();
  }

  close(): void {
    for (const taskId of [...this.#tasks.keys()]) this.fetched(taskId);
  }

  #begin(taskId: string, known: Polled): void {
    const asking = new AbortController();
    known.asking = asking;
    const over = () => {
      if (this.#tasks.get(taskId) === known) this.#tasks.delete(taskId);
    };
    // What comes of it, and what goes wrong, its client hears when it polls.
    this.#ask(taskId, asking.signal).then(over, over);
  }
}
