import { useSwitchingRealm } from '../../isolation/host-side/realms/switching-realm.ts';
import type { RealmMaker } from '../../isolation/host-side/tool-home.ts';
import { exportedOthers } from '../../workspace/load/exported-tools.ts';
import { createHostRealm } from '../../workspace/load/host-realm.ts';
import type { LoadedFile } from '../../workspace/load/tool-realm.ts';
import { type RunModules, realmInput } from './run-modules.ts';

/**
 * Runs the tools of modules in workers, each module in one of its own. Prompts, resources and registries stay in this thread: a
 * module that has some of them runs here as well.
 */
export function runInWorkers(workers: RealmMaker): RunModules {
  return function* (bundle, files, options) {
    const input = realmInput(bundle, files);
    const isolated = yield* useSwitchingRealm(() => 'worker', workers)(options);
    // The file of a tool before that of its plugin: a plugin is told to be of a tool that is known.
    const inOrder = new Map(bundle.importedFirst.map((file) => [file, input.entries.get(file) ?? '']));
    const found = yield* isolated.load({ ...input, entries: inOrder });
    const loaded = new Map(files.flatMap((file) => entryOf(found, file)));
    const entries = new Map([...input.entries].filter(([file]) => hasOthers(loaded.get(file))));
    if (entries.size === 0) return loaded;
    const realm = createHostRealm({ ...options, slice: Number.POSITIVE_INFINITY });
    for (const [file, here] of yield* realm.load({ ...input, entries })) {
      const there = loaded.get(file);
      if (here.kind === 'loaded' && there?.kind === 'loaded') {
        const others = exportedOthers(here.exports).map((other, n) => [`other${n}`, other]);
        loaded.set(file, { ...there, exports: { ...there.exports, ...Object.fromEntries(others) } });
      } else {
        loaded.set(file, here);
      }
    }
    return loaded;
  };
}

function entryOf<V>(map: ReadonlyMap<string, V>, key: string): readonly (readonly [string, V])[] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

function hasOthers(loaded: LoadedFile | undefined): boolean {
  return loaded?.kind === 'loaded' && loaded.others === true;
}
