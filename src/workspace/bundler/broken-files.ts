import { extname } from 'node:path';
import type { Plugin } from 'esbuild';

/** Files that cannot be built, by absolute path. */
export type BrokenFiles = Set<string>;

/** The name of the error: names cross into other realms, and fields do not. */
const BROKEN_FILE = 'ParleyBrokenFileError';

/**
 * The esbuild plugin that leaves broken files out: whatever imports one of them still builds, and throws when it is
 * loaded. So one bad file costs only the tools that need it.
 */
export function withoutBrokenFiles(broken: BrokenFiles): Plugin {
  return {
    name: 'parley-without-broken-files',
    setup(build) {
      build.onLoad({ filter: /./, namespace: 'file' }, ({ path }) => {
        if (!broken.has(path)) return undefined;
        return extname(path) === '.css'
          ? { contents: '', loader: 'css' }
          : { contents: substituteFor(path), loader: 'js' };
      });
    },
  };
}

/** Whether loading a module failed because it ran into a broken file, which has problems of its own. */
export function isBrokenFile(error: unknown): boolean {
  return error instanceof Object && 'name' in error && error.name === BROKEN_FILE;
}

/** CommonJS, so that no import of it fails for want of an export. */
function substituteFor(path: string): string {
  const message = JSON.stringify(`${path} cannot be built`);
  return `module.exports = (() => { throw Object.assign(new Error(${message}), { name: '${BROKEN_FILE}' }); })();`;
}
