import { ensure, resource } from 'effection';
import { createHostRealm } from '../../workspace/load/host-realm.ts';
import type { ToolRealm, UseRealm } from '../../workspace/load/tool-realm.ts';
import type { RealmMaker } from './tool-home.ts';
import { createWorkerRealm } from './worker-realm.ts';

/** Where tools run: in the process of the sessions, or each file in a worker of its own. */
export type Isolation = 'host' | 'worker';

/**
 * A realm that is what `isolation` says at each load. Calls finish where they began: workers of a realm that was left end
 * with the last of theirs.
 */
export function useSwitchingRealm(isolation: () => Isolation, maker: RealmMaker): UseRealm {
  return (options) =>
    resource(function* (provide) {
      let current: { readonly isolation: Isolation; readonly realm: ToolRealm; leave(): void } | undefined;
      yield* ensure(() => current?.leave());

      const switchTo = (isolation: Isolation) => {
        current?.leave();
        if (isolation === 'host') return { isolation, realm: createHostRealm(options), leave() {} };
        const realm = createWorkerRealm(maker, options);
        return { isolation, realm, leave: () => realm.retire() };
      };
      yield* provide({
        *load(input) {
          const wanted = isolation();
          if (current?.isolation !== wanted) current = switchTo(wanted);
          return yield* current.realm.load(input);
        },
      });
    });
}
