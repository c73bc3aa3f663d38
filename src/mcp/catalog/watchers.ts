import { ensure, type Scope, suspend, type Task } from 'effection';
import type { Catalog, ListName } from './catalog.ts';

/** Watches resources while anybody is subscribed to them. */
export interface Watchers {
  /** Watches a URI for a principal until what it returns is called; `undefined` when there is no such resource, or where it is full. */
  retain(uri: string, principal: string): (() => void) | undefined;
  /** Whether so much is watched that a principal can watch nothing else. */
  isFull(principal: string): boolean;
}

/**
 * Addresses that are watched at once: a template has as many as anybody thinks of, and each is code that runs. A principal has no more
 * of them than are left for others.
 */
const MOST = 10_000;

type Found = NonNullable<ReturnType<Catalog['find']>>['def'];

interface Watched {
  /** Who came for it first. */
  readonly principal: string;
  count: number;
  /** What is watched: gone while no resource has the address. */
  of: Found | undefined;
  task: Task<void> | undefined;
}

/**
 * A subscription is to an address: where another resource takes it, as when the server behind it was stopped and started again, that one
 * is watched from then on, and `changed` is called, for it may read differently.
 *
 * @param scope what watching runs in
 * @param changed told of each watched resource that has changed
 * @param failed told when a watch breaks; its resource is then not watched any more
 */
export function createWatchers(
  scope: Scope,
  catalog: Catalog,
  changed: (uri: string) => void,
  failed: (uri: string, error: unknown) => void,
): Watchers {
  const watched = new Map<string, Watched>();
  /** How many addresses are watched because of each principal. */
  const shares = new Map<string, number>();

  const isFull = (principal: string) => (shares.get(principal) ?? 0) >= MOST - watched.size;

  function count(principal: string, change: number): void {
    const now = (shares.get(principal) ?? 0) + change;
    if (now > 0) shares.set(principal, now);
    else shares.delete(principal);
  }

  function begin(uri: string, entry: Watched): void {
    const run = entry.of?.watch;
    const task = run && scope.run(() => run(uri, () => changed(uri)));
    entry.task = task;
    task?.catch((error: unknown) => {
      // A task that was halted is rejected as well.
      if (entry.task === task) failed(uri, error);
    });
  }

  function end(uri: string, entry: Watched): void {
    const { task } = entry;
    entry.task = undefined;
    task?.halt().catch((error: unknown) => failed(uri, error));
  }

  const look = (list: ListName) => {
    if (list !== 'resources') return;
    for (const [uri, entry] of watched) {
      const of = catalog.find(uri)?.def;
      if (of === entry.of) continue;
      end(uri, entry);
      entry.of = of;
      if (!of) continue;
      begin(uri, entry);
      changed(uri);
    }
  };
  const following = scope.run(function* () {
    yield* ensure(catalog.follow(look));
    yield* suspend();
  });
  // It ends with the scope.
  following.catch(() => {});

  return {
    isFull,
    retain(uri, principal) {
      let entry = watched.get(uri);
      if (!entry) {
        if (isFull(principal)) return undefined;
        const of = catalog.find(uri)?.def;
        if (!of) return undefined;
        entry = { principal, count: 0, of, task: undefined };
        watched.set(uri, entry);
        count(principal, 1);
        begin(uri, entry);
      }
      const own = entry;
      own.count += 1;
      let held = true;
      return () => {
        if (!held) return;
        held = false;
        own.count -= 1;
        if (own.count > 0) return;
        watched.delete(uri);
        count(own.principal, -1);
        end(uri, own);
      };
    },
  };
}
