import { callKey } from '../../runtime/journal/call-key.ts';
import type { CallName } from '../../runtime/journal/call-store.ts';

/** Most calls that begin at once, and most of one principal that run at once. */
const AT_ONCE = 32;
const OWN = 8;

/** A call whose turn it is. */
export interface Turn {
  readonly name: CallName;
  /** It takes long: somebody else may begin. It counts for its principal still. */
  takesLong(): void;
  /** It has come to rest. */
  over(): void;
}

/** Which of the calls that wait is next: principals take turns, and what takes long holds up only others of its own principal. */
export class Turns {
  /** What waits, by principal: whose turn comes first is first, and nobody is there with nothing. */
  #waiting = new Map<string, CallName[]>();
  readonly #running = new Map<string, Set<string>>();
  #beginning = 0;

  /** What waits now, in place of what did. Those whose turn has begun are left out. */
  offer(names: Iterable<CallName>): void {
    const fresh = new Map<string, CallName[]>();
    for (const name of names) {
      const { principal } = name;
      if (this.#running.get(principal)?.has(callKey(name))) continue;
      const own = fresh.get(principal);
      if (own) own.push(name);
      else fresh.set(principal, [name]);
    }
    const before = [...this.#waiting.keys()].filter((principal) => fresh.has(principal));
    this.#waiting = new Map([...before, ...fresh.keys()].map((who) => [who, fresh.get(who) ?? []]));
  }

  /** The next; `undefined` where none waits, or as many run as may. */
  next(): Turn | undefined {
    if (this.#beginning >= AT_ONCE) return undefined;
    for (const [principal, names] of this.#waiting) {
      if ((this.#running.get(principal)?.size ?? 0) >= OWN) continue;
      const name = names.shift();
      // Last in the order again.
      this.#waiting.delete(principal);
      if (names.length > 0) this.#waiting.set(principal, names);
      if (name) return this.#begin(name);
    }
    return undefined;
  }

  #begin(name: CallName): Turn {
    const { principal } = name;
    const own = this.#running.get(principal) ?? new Set();
    this.#running.set(principal, own.add(callKey(name)));
    this.#beginning += 1;
    let isBeginning = true;
    const takesLong = () => {
      if (isBeginning) this.#beginning -= 1;
      isBeginning = false;
    };
    return {
      name,
      takesLong,
      over: () => {
        takesLong();
        own.delete(callKey(name));
        if (own.size === 0 && this.#running.get(principal) === own) this.#running.delete(principal);
      },
    };
  }
}
