import type { ServerResponse } from 'node:http';

/** Between two looks at what clients have not read, milliseconds. */
const LOOK = 250;

/** An answer that is being sent. */
interface Sending {
  readonly res: ServerResponse;
  readonly principal: string;
}

/**
 * Bounds what all clients together were sent and have not read: each connection has a bound of its own, and there may be
 * thousands. Beyond it, who has most loses connections, the fullest first, until the rest fits.
 */
export class UnreadInAll {
  readonly #most: number;
  readonly #dropped: (principal: string) => void;
  readonly #open = new Set<Sending>();
  #timer: NodeJS.Timeout | undefined;

  /** @param dropped told of each connection that had to go */
  constructor(most: number, dropped: (principal: string) => void) {
    this.#most = most;
    this.#dropped = dropped;
  }

  /** Counts an answer, until its connection or it is over. */
  add(res: ServerResponse, principal: string): void {
    const sending = { res, principal };
    this.#open.add(sending);
    res.once('close', () => this.#open.delete(sending));
    if (this.#timer) return;
    this.#timer = setInterval(() => this.#look(), LOOK);
    this.#timer.unref();
  }

  #look(): void {
    if (this.#open.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    let total = 0;
    for (const { res } of this.#open) total += res.writableLength;
    while (total > this.#most) {
      const fullest = this.#fullestOfWhoHasMost();
      if (!fullest) return;
      total -= fullest.res.writableLength;
      this.#open.delete(fullest);
      fullest.res.destroy();
      this.#dropped(fullest.principal);
    }
  }

  #fullestOfWhoHasMost(): Sending | undefined {
    const bytes = new Map<string, number>();
    for (const { res, principal } of this.#open)
      bytes.set(principal, (bytes.get(principal) ?? 0) + res.writableLength);
    const most = Math.max(...bytes.values());
    let fullest: Sending | undefined;
    for (const one of this.#open) {
      if (bytes.get(one.principal) !== most) continue;
      if (!fullest || one.res.writableLength > fullest.res.writableLength) fullest = one;
    }
    return fullest;
  }
}
