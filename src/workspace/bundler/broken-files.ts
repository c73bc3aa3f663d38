import { extname } from 'node:path';
import type { Plugin } from 'esbuild';

/** Files that cannot be built, by absolute path. */
export type BrokenFiles = Set<string>;

const MARK = 'parleyBroken';

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

/** The broken file that loading a module ran into, if that is why it failed. */
export function brokenFileOf(error: unknown): string | undefined {
  const file = (error as Record<string, unknown> | undefined)?.[MARK];
  return typeof file === 'string' ? file : undefined;
}

/** CommonJS, so that no import of it fails for want of an export. */
function substituteFor(path: string): string {
  const message = JSON.stringify(`${path} cannot be built`);
  return `module.exports = (() => { throw Object.assign(new Error(${message}), { ${MARK}: ${JSON.stringify(path)} }); })();`;
}
