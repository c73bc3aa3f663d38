import { resolve } from 'node:path';
import type { OnResolveArgs, OnResolveResult, Plugin, PluginBuild, ResolveResult } from 'esbuild';
import { defined } from '../../core/schema/defined.ts';
import { LENT_TO_HOST, NOT_FOR_TOOLS } from './lent-modules.ts';

/**
 * What nearly every tool file imports. The bundler leaves these out by itself: asking us about each import of two hundred files took
 * longer than reading the files.
 */
const LEFT_OUT: readonly string[] = ['parley-mcp', 'effection', 'zod'];

/** An esbuild plugin for tools: what Parley lends is left out of the bundle, and what a tool cannot have is refused. */
export function lentModules(): Plugin {
  return {
    name: 'parley-lent-modules',
    setup(build) {
      const { external = [], ...options } = build.initialOptions;
      build.initialOptions.external = [...external, ...LEFT_OUT];
      build.onResolve(
        { filter: /^(parley-mcp\/|effection\/|zod\/|react($|\/)|vscode($|\/))/ },
        async (asked) => {
          const { path } = asked;
          const refusal = NOT_FOR_TOOLS[path];
          if (refusal !== undefined) return { errors: [{ text: refusal }] };
          if (path in LENT_TO_HOST) return { path, external: true };
          const isLeftOut = LEFT_OUT.some((name) => path.startsWith(`${name}/`));
          // To the bundler a package that is left out is so with all that is in it.
          return isLeftOut ? await resolved(build, { ...options, external }, asked) : undefined;
        },
      );
      // Compiled code cannot be bundled: it is loaded from where it is.
      build.onResolve({ filter: /^\.{1,2}\/.*\.node$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        external: true,
      }));
    },
  };
}

/** Where an import leads that is not left out. */
async function resolved(
  { esbuild }: PluginBuild,
  { absWorkingDir, platform, external }: PluginBuild['initialOptions'],
  { path, importer, namespace, resolveDir, kind }: OnResolveArgs,
): Promise<OnResolveResult> {
  let found: ResolveResult | undefined;
  await esbuild.build({
    ...defined({ absWorkingDir, platform, external }),
    stdin: { contents: '' },
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'parley-resolve',
        setup: (build) =>
          build.onStart(async () => {
            found = await build.resolve(path, { importer, namespace, resolveDir, kind });
          }),
      },
    ],
  });
  const { suffix: _, pluginData: _data, ...result } = found ?? { path };
  return result;
}
