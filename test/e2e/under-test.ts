import { repoRoot, type ServerOptions } from '../harness/index.ts';

/** The Parley that is tested, and others: from its folder, or installed from the package that `PARLEY_E2E_VSIX` names. */
export function parleyWith(
  ...extensions: readonly string[]
): Required<Pick<ServerOptions, 'packages' | 'extensions'>> {
  const packaged = process.env.PARLEY_E2E_VSIX;
  return packaged === undefined
    ? { packages: [], extensions: [repoRoot, ...extensions] }
    : { packages: [packaged], extensions };
}
