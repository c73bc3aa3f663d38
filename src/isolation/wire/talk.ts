import { type Operation, type Result, type Scope, useScope, withResolvers } from 'effection';
import type { Started } from '../../runtime/call/start-in.ts';

/** What is done for the other end, whatever the types: what it takes has been parsed with its schema. */
export type AnyHandlers = Readonly<Record<string, (params: unknown, within: Talk) => unknown>>;

/** What the other end may call within a call, and where that runs. */
export interface AnyServing {
  readonly handlers: AnyHandlers;
  readonly scope?: Scope | undefined;
}

/** A call as it is made. */
export interface Made {
  readonly method: string;
  readonly params: unknown;
  /** Hears once what came of it. */
  readonly listener: (outcome: Result<unknown>) => void;
}

/** What a talk needs of its line. */
export interface WireLine {
  begin(within: Talk, made: Made, serving?: AnyServing): Talk;
  cancel(talk: Talk): void;
  tell(within: Talk, method: string, params: unknown): void;
}

/** One call while it is open; or, without a number, what is outside of all calls. It is a `Peer`, but for the types. */
export class Talk {
  readonly id: number | undefined;
  /** What was called, where the call was made here. */
  readonly made: Made | undefined;
  /** Where what is called within it is done. */
  scope: Scope | undefined;
  handlers: AnyHandlers;
  /** What runs, where the call is served here. */
  started: Started | undefined;
  cancelled: (() => void) | undefined;
  /** Calls of the other end within this one. */
  readonly served = new Set<Talk>();
  readonly #line: WireLine;

  constructor(line: WireLine, { handlers, scope }: AnyServing, id?: number, made?: Made) {
    this.#line = line;
    this.id = id;
    this.made = made;
    this.scope = scope;
    this.handlers = handlers;
  }

  *call(method: string, params: unknown, handlers: AnyHandlers = {}): Operation<unknown> {
    const { operation, resolve, reject } = withResolvers<unknown>(method);
    let over = false;
    const settle = (outcome: Result<unknown>) => {
      over = true;
      if (outcome.ok) resolve(outcome.value);
      else reject(outcome.error);
    };
    // Before any effect: what code calls at once arrives in the order in which it does.
    const made = this.request(method, params, settle, { handlers });
    try {
      made.scope = yield* useScope();
      return yield* operation;
    } finally {
      if (!over) made.cancel();
    }
  }

  request(method: string, params: unknown, listener: Made['listener'], serving?: AnyServing): Talk {
    return this.#line.begin(this, { method, params, listener }, serving);
  }

  tell(method: string, params: unknown): void {
    this.#line.tell(this, method, params);
  }

  serve(handlers: AnyHandlers): void {
    this.handlers = handlers;
  }

  onCancel(listener: () => void): void {
    this.cancelled = listener;
  }

  cancel(andServe = false): void {
    if (!andServe) this.handlers = {};
    this.#line.cancel(this);
  }
}
