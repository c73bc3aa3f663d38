import { createHash } from 'node:crypto';
import type { Operation } from 'effection';
import { useSwitchingRealm } from '../../isolation/host-side/realms/switching-realm.ts';
import type { RealmMaker } from '../../isolation/host-side/tool-home.ts';
import { exportedOthers } from '../../workspace/load/exported-tools.ts';
import { createHostRealm } from '../../workspace/load/host-realm.ts';
import type { LoadedFile, RealmInput, RealmOptions } from '../../workspace/load/tool-realm.ts';
import type { ModuleBundle } from './bundle-modules.ts';

/** Runs the modules of a bundle, in the order of `files`. */
export type RunModules = (
  bundle: ModuleBundle,
  files: readonly string[],
  options: RealmOptions,
) => Operation<ReadonlyMap<string, LoadedFile>>;

/** Runs modules in this thread. */
export const runInHost: RunModules = (bundle, files, options) =>
  createHostRealm({ ...options, slice: Number.POSITIVE_INFINITY }).load(inputOf(bundle, files));

/**
 * Runs the tools of modules in workers, each module in one of its own. Prompts, resources and registries stay in this thread: a
 * module that has some of them runs here as well.
 */
export function runInWorkers(workers: RealmMaker): RunModules {
  return function* (bundle, files, options) {
    const input = inputOf(bundle, files);
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

/** What the bundle is called by the modules that stand for its files. */
const BUNDLE = 'parley-modules.cjs';

const NO_MAP = JSON.stringify({ version: 3, sources: [], mappings: '' });

/** Changes with the code of a bundle. */
export function bundleVersion({ code }: ModuleBundle): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

function inputOf(bundle: ModuleBundle, files: readonly string[]): RealmInput {
  const { code, map, lent } = bundle;
  const version = bundleVersion(bundle);
  const source = undefined;
  const entries = files.map((file, index) => [file, `module-${index}.cjs`] as const);
  const modules = entries.map(([, name], index) => {
    const entry = `module.exports = require('./${BUNDLE}')[${index}]() ?? {};`;
    // Of its own: what two modules export under one name is not one thing.
    return [name, { name, code: entry, map: NO_MAP, version: `${version}-${index}`, source }] as const;
  });
  return {
    modules: new Map([...modules, [BUNDLE, { name: BUNDLE, code, map, version, source }]]),
    entries: new Map(entries),
    lent: new Set(lent),
  };
}

function entryOf<V>(map: ReadonlyMap<string, V>, key: string): readonly (readonly [string, V])[] {
  const value = map.get(key);
  return value === undefined ? [] : [[key, value]];
}

function hasOthers(loaded: LoadedFile | undefined): boolean {
  return loaded?.kind === 'loaded' && loaded.others === true;
}
