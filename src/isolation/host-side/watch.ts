/** How long a realm may keep everybody waiting, in milliseconds. */
export interface WatchLimits {
  /** How often it is asked for a sign of life while it works. */
  readonly interval: number;
  /** How long it may give none before it is ended; asked anew with each sign that is missed. */
  silence(): number;
  /** How long a file may take to load without a pause. */
  readonly loading: number;
  /** How long a halted call may go on without a sign of life. */
  readonly grace: number;
  /** How long a realm without work is kept for the next call. */
  readonly idle: number;
}

/**
 * Generous, for a slow machine, and work that never pauses harms nobody but its own tool: a person who does not want to
 * wait presses Stop.
 */
export const DEFAULT_WATCH_LIMITS: WatchLimits = {
  interval: 1_000,
  silence: () => 30_000,
  loading: 15_000,
  grace: 3_000,
  idle: 300_000,
};

/** The limits of a watch, and what it calls when one is reached. Times in milliseconds. */
export interface WatchOptions {
  readonly limits: WatchLimits;
  ping(): void;
  stuck(silence: number): void;
  /** Nothing has been going on for a while. */
  idle(): void;
}

/**
 * Looks after a realm while it works. It counts its own ticks, not the time between them: a machine that slept, or whose
 * other end was busy itself, makes nobody stuck.
 */
export class RealmWatch {
  readonly #options: WatchOptions;
  #work = 0;
  /** Ticks since the last sign of life. */
  #silent = 0;
  #heard = false;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  /** Whether something is going on. */
  get busy(): boolean {
    return this.#work > 0;
  }

  /** Work begins. Returns what says that it is over. */
  begin(): () => void {
    if (this.#work++ === 0) this.#start();
    let over = false;
    return () => {
      if (over) return;
      over = true;
      if (--this.#work === 0) this.#rest();
    };
  }

  /** A sign of life. */
  heard(): void {
    this.#heard = true;
  }

  /** Calls back after `grace`, with whether there was a sign of life. Returns what stops it. */
  demand(after: (alive: boolean, grace: number) => void): () => void {
    this.#heard = false;
    this.#silent = 0;
    this.#options.ping();
    const { grace } = this.#options.limits;
    const timer = setTimeout(() => after(this.#heard, grace), grace);
    return () => clearTimeout(timer);
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
  }

  /** Most work is over before anybody has to be asked. */
  #start(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    const { limits } = this.#options;
    this.#silent = 0;
    this.#heard = false;
    let asked = false;
    const tick = () => {
      this.#silent = this.#heard ? 0 : this.#silent + 1;
      this.#heard = false;
      const silence = limits.silence();
      if (asked && this.#silent * limits.interval >= silence) {
        this.#options.stuck(silence);
        return;
      }
      asked = true;
      this.#options.ping();
      this.#timer = setTimeout(tick, limits.interval);
    };
    this.#timer = setTimeout(tick, limits.interval);
  }

  #rest(): void {
    clearTimeout(this.#timer);
    if (this.#closed) return;
    this.#timer = setTimeout(() => this.#options.idle(), this.#options.limits.idle);
    this.#timer.unref();
  }
}
