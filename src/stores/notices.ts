/** Who watches which calls in this process, by what names them. */
export class Notices {
  readonly #watchers = new Map<string, Set<() => void>>();

  /** Calls back when a call should be looked at. Returns what stops it. */
  watch(id: string, look: () => void): () => void {
    const watchers = this.#watchers.get(id) ?? new Set();
    // Each watch is its own, also of the same function.
    const own = () => look();
    this.#watchers.set(id, watchers.add(own));
    return () => {
      watchers.delete(own);
      if (watchers.size === 0 && this.#watchers.get(id) === watchers) this.#watchers.delete(id);
    };
  }

  /** What is watched. */
  ids(): readonly string[] {
    return [...this.#watchers.keys()];
  }

  tell(id: string): void {
    for (const look of [...(this.#watchers.get(id) ?? [])]) look();
  }
}
