import { createHash } from 'node:crypto';
import type { Operation } from 'effection';
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
  createHostRealm({ ...options, slice: Number.POSITIVE_INFINITY }).load(realmInput(bundle, files));

/** What the bundle is called by the modules that stand for its files. */
const BUNDLE = 'parley-modules.cjs';

const NO_MAP = JSON.stringify({ version: 3, sources: [], mappings: '' });

/** Changes with the code of a bundle. */
export function bundleVersion({ code }: ModuleBundle): string {
  return createHash('sha256').update(code).digest('hex').slice(0, 16);
}

/** Modules as a realm loads them. */
export function realmInput(bundle: ModuleBundle, files: readonly string[]): RealmInput {
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
