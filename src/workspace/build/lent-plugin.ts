import { resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { LENT_TO_HOST, NOT_FOR_TOOLS } from './lent-modules.ts';

/** An esbuild plugin for tools: what Parley lends is left out of the bundle, and what a tool cannot have is refused. */
export function lentModules(): Plugin {
  return {
    name: 'parley-lent-modules',
    setup(build) {
      build.onResolve({ filter: /^(parley-mcp|effection|zod|react|vscode)($|\/)/ }, ({ path }) => {
        const refusal = NOT_FOR_TOOLS[path];
        if (refusal !== undefined) return { errors: [{ text: refusal }] };
        return path in LENT_TO_HOST ? { path, external: true } : undefined;
      });
      // Compiled code cannot be bundled: it is loaded from where it is.
      build.onResolve({ filter: /^\.{1,2}\/.*\.node$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        external: true,
      }));
    },
  };
}
