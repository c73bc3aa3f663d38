import { toError } from '../../../core/errors/parley-error.ts';
import { isObject } from '../../../core/schema/is-object.ts';
import type { Bell } from './bell.ts';
import type { CallInFlight, ForeignAskKind } from './in-flight.ts';

type Answer = Readonly<Record<string, unknown>>;

const KINDS: Readonly<Record<string, ForeignAskKind>> = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'roots',
};

/**
 * What a task asks, by keys that its server uses once. Every look at the task says which questions are open: a new one is asked, one
 * that is gone is withdrawn, and one that has been answered is not asked again.
 */
export class TaskQuestions {
  readonly #call: Pick<CallInFlight, 'ask'>;
  readonly #bell: Bell;
  readonly #answer: (key: string, answer: Answer) => Promise<void>;
  readonly #open = new Map<string, AbortController>();
  readonly #answered = new Set<string>();
  #failure: Error | undefined;

  /**
   * @param bell rung when something came of a question: the task may go on
   * @param answer tells the server
   */
  constructor(
    call: Pick<CallInFlight, 'ask'>,
    bell: Bell,
    answer: (key: string, answer: Answer) => Promise<void>,
  ) {
    this.#call = call;
    this.#bell = bell;
    this.#answer = answer;
  }

  /** Why a question could not be asked, or its answer not be told. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /** The questions that are open now, as the task states them. */
  take(requests: unknown): void {
    const open = isObject(requests) ? requests : {};
    for (const [key, stop] of this.#open) if (!Object.hasOwn(open, key)) stop.abort();
    for (const [key, request] of Object.entries(open)) {
      if (this.#open.has(key) || this.#answered.has(key)) continue;
      const stop = new AbortController();
      this.#open.set(key, stop);
      this.#ask(key, request, stop.signal)
        .catch((error: unknown) => {
          if (!stop.signal.aborted) this.#failure ??= toError(error);
        })
        .finally(() => {
          this.#open.delete(key);
          this.#bell.ring();
        });
    }
  }

  /** The task needs no answers any more. */
  withdraw(): void {
    for (const stop of this.#open.values()) stop.abort();
  }

  async #ask(key: string, request: unknown, signal: AbortSignal): Promise<void> {
    const { method, params = {} } = isObject(request) ? request : {};
    const kind = typeof method === 'string' && Object.hasOwn(KINDS, method) ? KINDS[method] : undefined;
    if (!kind || !isObject(params))
      throw new Error(`its task sent a request that cannot be answered: ${method}`);
    const answer = await this.#call.ask(kind, params, signal);
    if (signal.aborted) return;
    this.#answered.add(key);
    await this.#answer(key, answer);
  }
}
