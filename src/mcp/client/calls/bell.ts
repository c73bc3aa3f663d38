/** Rings for one who waits; rung before they do, it rings until it is heeded. */
export class Bell {
  #rings = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rings = true;
    this.#wake?.();
  }

  /** What rang it is looked at now. */
  heed(): void {
    this.#rings = false;
  }

  /** Calls back once it rings, also when it rings now. Returns what stops that. */
  onRing(wake: () => void): () => void {
    this.#wake = wake;
    if (this.#rings) wake();
    return () => {
      if (this.#wake === wake) this.#wake = undefined;
    };
  }
}
