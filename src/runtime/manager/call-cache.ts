import { RELEASED } from '../session/events.ts';
import type { TimeSource } from '../time/machine-clock.ts';
import type { Entry } from './entry.ts';
import { Expiring } from './expiring.ts';
import type { CachedCall } from './manager.ts';
import type { Shares } from './shares.ts';

/** How long a call stands still at most, milliseconds. */
const STANDS = 60_000;
/** How many do, of all principals together. */
const MOST_ASIDE = 256;

/** What a call that stands still tells. */
interface CacheHooks {
  /** It is dropped. */
  gone(): void;
  /** It is about to go on: makes room for it. @throws `SessionLimitError` */
  admit(bytes: number): void;
  /** It has gone on. */
  back(): void;
}

/** The calls that stand still, the oldest first. They take up nothing of the share of their principal. */
export class CallCache {
  readonly #calls = new Map<Entry, () => void>();
  readonly #shares: Shares<Entry>;
  readonly #expiring: Expiring<Entry>;

  constructor(shares: Shares<Entry>, time: TimeSource) {
    this.#shares = shares;
    this.#expiring = new Expiring(time, STANDS, drop);
  }

  has(entry: Entry): boolean {
    return this.#calls.has(entry);
  }

  /** Begins to stand still. */
  add(entry: Entry, { gone, admit, back }: CacheHooks): CachedCall {
    const { call, bytes } = entry;
    this.#shares.wait(entry, undefined);
    this.#shares.end(entry);
    this.#calls.set(entry, gone);
    this.#expiring.set(entry, true);
    call.history.onMove = () => drop(entry);
    const [oldest] = this.#calls.size > MOST_ASIDE ? this.#calls.keys() : [];
    if (oldest) drop(oldest);
    return {
      goOn: () => {
        if (!this.#calls.has(entry)) return;
        admit(bytes);
        this.#end(entry);
        entry.bytes = bytes;
        this.#shares.begin(entry);
        back();
      },
      drop: () => {
        if (this.#calls.has(entry)) drop(entry);
      },
    };
  }

  /** One has ended, which is how it is dropped. */
  ended(entry: Entry): void {
    this.#end(entry)?.();
  }

  close(): void {
    this.#expiring.close();
  }

  #end(entry: Entry): (() => void) | undefined {
    const gone = this.#calls.get(entry);
    this.#calls.delete(entry);
    this.#expiring.set(entry, false);
    entry.call.history.onMove = undefined;
    return gone;
  }
}

function drop({ call }: Entry): void {
  call.release(RELEASED);
}
