import { isAbsolute } from 'node:path';
import type { PluginBuild } from 'esbuild';

/** Has absolute paths mean the files that they name: esbuild finds none with an asterisk in its path. */
export function literally(build: PluginBuild): void {
  build.onResolve({ filter: /\*/ }, ({ path }) =>
    isAbsolute(path) ? { path, namespace: 'file' } : undefined,
  );
}
