import { ensure, resource } from 'effection';
import { createHostRealm } from '../../../workspace/load/host-realm.ts';
import type { LoadedFile, RealmInput, ToolRealm, UseRealm } from '../../../workspace/load/tool-realm.ts';
import { threadSharers } from '../shares-thread.ts';
import type { RealmMaker } from '../tool-home.ts';
import { createWorkerRealm } from './worker-realm.ts';

/** Where tools run: in the process of the sessions, or each file in a worker of its own. */
export type Isolation = 'host' | 'worker';

/**
 * A realm that is what `isolation` says at each load, but for files that say that they share the thread. A file that the person
 * has neither run nor edited in this window stays in a worker, so that opening a folder runs nothing here. Calls finish where
 * they began: workers of a file that has moved end with the last of theirs.
 */
export function useSwitchingRealm(isolation: () => Isolation, maker: RealmMaker): UseRealm {
  return (options) =>
    resource(function* (provide) {
      const workers = createWorkerRealm(maker, options);
      yield* ensure(() => workers.retire());
      const filesThatShare = threadSharers();
      let host: ToolRealm | undefined;

      yield* provide({
        prepare() {
          if (isolation() === 'worker') workers.prepare?.();
        },
        *load(input) {
          const wanted =
            isolation() === 'host' ? new Set(input.entries.keys()) : yield* filesThatShare(input);
          const { vouched = wanted } = input;
          const sharing = new Set([...wanted].filter((file) => vouched.has(file)));
          const part = (isHere: boolean): RealmInput => ({
            ...input,
            entries: new Map([...input.entries].filter(([file]) => sharing.has(file) === isHere)),
          });
          // What it has loaded is let go with it.
          host = sharing.size > 0 ? (host ?? createHostRealm(options)) : undefined;
          const here = host ? yield* host.load(part(true)) : new Map<string, LoadedFile>();
          const there = yield* workers.load(part(false));
          return new Map(
            [...input.entries.keys()].flatMap((file) => {
              const loaded = here.get(file) ?? there.get(file);
              if (!loaded) return [];
              const displaced = loaded.kind === 'loaded' && wanted.has(file) && !sharing.has(file);
              return [[file, displaced ? { ...loaded, displaced } : loaded] as const];
            }),
          );
        },
      });
    });
}
