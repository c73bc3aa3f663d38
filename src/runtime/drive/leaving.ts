/** Who drives a call may leave before its end, for others to go on with: its client is gone. */
export class Leaving {
  #hasLeft = false;
  #listener: (() => void) | undefined;

  get hasLeft(): boolean {
    return this.#hasLeft;
  }

  leave(): void {
    this.#hasLeft = true;
    this.#listener?.();
  }

  /** Calls back then. One listener; the last counts. */
  onLeave(listener: () => void): void {
    this.#listener = listener;
  }
}
