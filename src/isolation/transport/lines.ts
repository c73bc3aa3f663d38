/** A line was longer than the other end may make it. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';

  /** @param most in bytes */
  constructor(most: number) {
    super(`a line of more than ${most} bytes`);
  }
}

const NEWLINE = 10;

/** Cuts what comes over a socket into lines, however it was cut on its way. */
export class Lines {
  #parts: Buffer[] = [];
  /** How many parts are known to hold no end of a line, and their bytes. */
  #searched = 0;
  #bytes = 0;

  push(chunk: Buffer): void {
    this.#parts.push(chunk);
  }

  /** The next line, without its end; nothing while it is not complete. @throws {LineTooLongError} */
  shift(most: number): string | undefined {
    for (; this.#searched < this.#parts.length; this.#searched += 1) {
      const part = this.#parts[this.#searched] ?? Buffer.alloc(0);
      const end = part.indexOf(NEWLINE);
      if (this.#bytes + (end < 0 ? part.length : end) > most) throw new LineTooLongError(most);
      if (end >= 0) return this.#cut(part, end);
      this.#bytes += part.length;
    }
    return undefined;
  }

  #cut(part: Buffer, end: number): string {
    const line = Buffer.concat([...this.#parts.slice(0, this.#searched), part.subarray(0, end)]);
    this.#parts = [part.subarray(end + 1), ...this.#parts.slice(this.#searched + 1)];
    this.#searched = 0;
    this.#bytes = 0;
    return line.toString('utf8');
  }
}
