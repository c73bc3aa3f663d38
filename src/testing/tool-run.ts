import { type Operation, run } from 'effection';

/**
 * A call under test: await it, hand it to whatever takes a promise, or `yield*` it inside an operation, whose contexts and lifetime
 * it then shares. It begins with the first of these.
 */
export class ToolRun<R> extends Promise<R> implements Operation<R> {
  // What `then` makes is a plain promise: it is no call.
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  readonly #op: () => Operation<R>;
  #begun: Promise<R> | undefined;

  constructor(op: () => Operation<R>) {
    super(() => {});
    this.#op = op;
  }

  [Symbol.iterator](): Iterator<never, R> {
    return this.#op()[Symbol.iterator]() as Iterator<never, R>;
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise that begins when it is awaited.
  override then<A = R, B = never>(
    fulfilled?: ((value: R) => A | PromiseLike<A>) | null,
    rejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#begun ??= Promise.resolve(run(this.#op));
    return this.#begun.then(fulfilled, rejected);
  }
}
