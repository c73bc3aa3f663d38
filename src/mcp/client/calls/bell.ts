import { action, type Operation } from 'effection';

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

  /** Waits until it rings; not at all when it rings now. */
  rung(): Operation<void> {
    return action((resolve) => {
      this.#wake = resolve;
      if (this.#rings) resolve();
      return () => {
        if (this.#wake === resolve) this.#wake = undefined;
      };
    });
  }
}
