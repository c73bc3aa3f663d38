/** Milliseconds: a page may be drawn before its call is listed. */
const BEFORE = 2_000;

/** When the chat has drawn pages of tools: it reads their document for each page, and that page takes a moment to speak. */
export class DrawnPages {
  readonly #drawn = new Map<string, number>();

  /** A page of this tool is drawn now, in milliseconds since the epoch. */
  add(tool: string, now = Date.now()): void {
    this.#drawn.set(tool, now);
  }

  /** Whether one was drawn that may be of a call that began then, in milliseconds since the epoch. */
  has(tool: string, began: number): boolean {
    return (this.#drawn.get(tool) ?? Number.NEGATIVE_INFINITY) >= began - BEFORE;
  }
}
