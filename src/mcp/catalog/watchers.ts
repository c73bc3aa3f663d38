import { ensure, type Scope, suspend, type Task } from 'effection';
import type { Catalog, ListName } from './catalog.ts';

/** Watches resources while anybody is subscribed to them. */
export interface Watchers {
  /** Watches a URI until what it returns is called; `undefined` when there is no such resource, or where it is `full`. */
  retain(uri: string): (() => void) | undefined;
  /** Whether so much is watched that nothing else can be. */
  readonly full: boolean;
}

/** Addresses that are watched at once: a template has as many as anybody thinks of, and each is code that runs. */
const MOST = 10_000;

type Found = NonNullable<ReturnType<Catalog['find']>>['def'];

interface Watched {
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
    get full() {
      return watched.size >= MOST;
    },
    retain(uri) {
      let entry = watched.get(uri);
      if (!entry) {
        if (watched.size >= MOST) return undefined;
        const of = catalog.find(uri)?.def;
        if (!of) return undefined;
        entry = { count: 0, of, task: undefined };
        watched.set(uri, entry);
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
        end(uri, own);
      };
    },
  };
}
