import { type Operation, spawn, type Task } from 'effection';

/** What a task's questions go through whose call is in another process. */
export interface RelayParts {
  /** Asks the client at the other end of a request, as a question stands on the wire; nothing where it cannot be asked that. */
  ask(question: unknown, key: string): Operation<unknown> | undefined;
  /** Gives the answer to whoever has the task. Ends when it is durable. */
  answer(key: string, wire: unknown): Operation<void>;
}

/**
 * The questions of a task whose call another process has, and works on: asked here, of a client that waits here for what comes of it. A
 * question that is answered there meanwhile is withdrawn here.
 */
export class RelayedQuestions {
  readonly #parts: RelayParts;
  readonly #open = new Map<string, Task<void>>();
  /** A key is used once in the life of a task. */
  readonly #answered = new Set<string>();

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** How many its client is asked now. */
  get open(): number {
    return this.#open.size;
  }

  /** Asks what is new among these, and withdraws what is not among them any more. What fails fails who calls this. */
  *follow(questions: Readonly<Record<string, unknown>>): Operation<void> {
    for (const [key, asking] of [...this.#open]) {
      if (Object.hasOwn(questions, key)) continue;
      this.#open.delete(key);
      yield* asking.halt();
    }
    for (const [key, question] of Object.entries(questions)) {
      if (this.#open.has(key) || this.#answered.has(key)) continue;
      const asking = this.#parts.ask(question, key);
      if (asking) this.#open.set(key, yield* spawn(() => this.#relay(key, asking)));
    }
  }

  *#relay(key: string, asking: Operation<unknown>): Operation<void> {
    const wire = yield* asking;
    this.#answered.add(key);
    yield* this.#parts.answer(key, wire);
    this.#open.delete(key);
  }
}
