import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName } from '../runtime/journal/call-store.ts';
import { RELEASED } from '../runtime/session/events.ts';
import type { Session } from '../runtime/session/session.ts';
import type { CallLease } from './lease.ts';
import type { CallsParts } from './port.ts';
import { abortedBy } from './snapshots.ts';
import { CallWatchers } from './watchers.ts';

/** How long, and of how many calls, it is known here what they came to, for a response that was lost. Milliseconds. */
const KNOWN_FOR = 60_000;
const MOST_KNOWN = 256;

/** The calls that this process has, and who is told how they stand. */
export class CallLeases {
  readonly #parts: Pick<CallsParts, 'manager' | 'store' | 'run'>;
  readonly #all = new Map<string, CallLease>();
  readonly #bySession = new WeakMap<Session, CallLease>();
  /** Stops listening to the manager: nobody does while there is no lease. */
  #stopListening: (() => void) | undefined;
  readonly #watchers: CallWatchers;
  /** Calls that have ended, the first to do so first. */
  readonly #over = new Set<CallLease>();

  constructor(parts: Pick<CallsParts, 'manager' | 'store' | 'run'>) {
    this.#parts = parts;
    this.#watchers = new CallWatchers(parts.store);
  }

  of(name: CallName): CallLease | undefined {
    return this.#all.get(callKey(name));
  }

  all(): readonly CallLease[] {
    return [...this.#all.values()];
  }

  watch(name: CallName, look: () => void): () => void {
    return this.#watchers.watch(name, look, this.of(name));
  }

  add(lease: CallLease): CallLease {
    const { manager } = this.#parts;
    this.#stopListening ??= manager.subscribe(({ type, session }) => {
      const known = type === 'started' ? undefined : this.#bySession.get(session);
      if (!known?.pinned) return;
      // One that nobody comes back for is forgotten as it ends.
      queueMicrotask(() => {
        if (manager.get(known.name) !== session) this.drop(known);
      });
    });
    this.#all.set(callKey(lease.name), lease);
    this.#bySession.set(lease.session, lease);
    this.#watchers.here(lease);
    return lease;
  }

  remove(lease: CallLease): void {
    const key = callKey(lease.name);
    if (this.#all.get(key) === lease) this.#all.delete(key);
    this.#over.delete(lease);
    if (this.#all.size > 0) return;
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  drop(lease: CallLease): void {
    this.remove(lease);
    lease.stopKeeping?.();
    const { shown, note, session } = lease;
    const ended = note.end ?? session.ended();
    // What is released goes on elsewhere.
    if (shown && !(ended?.type === 'aborted' && ended.reason === RELEASED)) {
      const end = ended ?? abortedBy('it was given up');
      this.#parts.run(() => shown.end({ ...note, end })).catch(() => {});
    }
    this.#parts.manager.forget(lease.name);
    this.tellOf(lease.name, false);
  }

  /** What it came to is known for a while, should the response be lost; or for as long as its client may take to come. */
  know(lease: CallLease): void {
    if (this.of(lease.name) !== lease) return;
    const now = Date.now();
    if (lease.note.opened !== undefined) lease.expires = now + KNOWN_FOR;
    this.#over.add(lease);
    for (const one of this.#over) {
      if (one.expires > now && this.#over.size <= MOST_KNOWN) return;
      this.drop(one);
    }
  }

  /** How a call that is here stands has changed: others are told where there may be any. */
  tell({ name, storeName, isLookedAt, isWatched, taken }: CallLease): void {
    this.tellOf(name, isLookedAt || isWatched || taken.length > 0, storeName);
  }

  /** Nobody waits for others to hear it. */
  tellOf(name: CallName, all: boolean, storeName = name): void {
    const { store, run } = this.#parts;
    this.#watchers.tell(name);
    if (all && store) run(() => store.tell(storeName)).catch(() => {});
  }
}
