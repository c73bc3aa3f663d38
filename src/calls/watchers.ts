import { callKey } from '../runtime/journal/call-key.ts';
import type { CallName, CallStore } from '../runtime/journal/call-store.ts';
import type { CallLease } from './lease.ts';

/** One who hears when a call should be looked at, whoever has it. */
interface Watcher {
  readonly look: () => void;
  stop: (() => void) | undefined;
}

/** Who watches which calls: those that are here, and, where the store tells, those of other processes. */
export class CallWatchers {
  readonly #store: Pick<CallStore, 'watch'> | undefined;
  readonly #all = new Map<string, Set<Watcher>>();

  constructor(store: Pick<CallStore, 'watch'> | undefined) {
    this.#store = store;
  }

  /** @param lease the call, while it is here */
  watch(name: CallName, look: () => void, lease: CallLease | undefined): () => void {
    const key = callKey(name);
    const watchers = this.#all.get(key) ?? new Set();
    const watcher: Watcher = { look, stop: seenOf(lease, look) };
    this.#all.set(key, watchers.add(watcher));
    const stop = this.#store?.watch(name, look);
    return () => {
      stop?.();
      watcher.stop?.();
      watchers.delete(watcher);
      if (watchers.size === 0 && this.#all.get(key) === watchers) this.#all.delete(key);
    };
  }

  /** A call is here from now on. */
  here(lease: CallLease): void {
    for (const watcher of this.#all.get(callKey(lease.name)) ?? []) {
      watcher.stop?.();
      watcher.stop = seenOf(lease, watcher.look);
    }
  }

  tell(name: CallName): void {
    for (const { look } of [...(this.#all.get(callKey(name)) ?? [])]) look();
  }
}

/** Calls back whenever a call that is here stands otherwise. */
function seenOf(lease: CallLease | undefined, look: () => void): (() => void) | undefined {
  return lease?.session.subscribe((event) => {
    if (event.type !== 'log') look();
  });
}
