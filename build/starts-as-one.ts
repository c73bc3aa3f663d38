import { join, relative, sep } from 'node:path';
import type { Plugin, PluginBuild } from 'esbuild';
import { root } from './paths.ts';

/** A program that has parts for itself, and shares others with programs that are built with it. */
export interface Started {
  /** Modules that are loaded whenever a later part is: the entry point, and what it loads by itself. */
  readonly start: readonly string[];
  /** The folder of what is its own: nothing of it is loaded by the others. */
  readonly own: string;
}

/** Marks what this plugin itself resolves. */
const OURS = {};

/**
 * What a program always loads is a few files, however its parts share it. Code splitting puts each set of modules that some parts have in
 * common into a file of its own, and a program that starts waits for dozens of them, one behind the other. Here each part that is loaded
 * later says that the start is there by then, so it is common to all of them; a part that other programs load, too, says so only of what
 * is not the program's own.
 */
export function startsAsOne({ start, own }: Started): Plugin {
  return {
    name: 'starts-as-one',
    setup(build) {
      let shared: readonly string[] = [];
      build.onStart(async () => {
        const loaded = await loadedAtOnce(build, start);
        shared = loaded.filter((file) => isIn('src', file) && !isIn(own, file));
      });
      build.onResolve({ filter: /.*/ }, async ({ path, kind, pluginData, importer, resolveDir }) => {
        if (kind !== 'dynamic-import' || pluginData === OURS) return undefined;
        const found = await build.resolve(path, { kind, importer, resolveDir, pluginData: OURS });
        const file = relative(root, found.path);
        // A package stays what it is, with its default export.
        return found.errors.length === 0 && isIn('src', file) ? { path: file, namespace: 'later' } : found;
      });
      build.onLoad({ filter: /.*/, namespace: 'later' }, ({ path }) => ({
        contents: [
          ...(isIn(own, path) ? start : shared).map((file) => `import ${inRoot(file)};`),
          `export * from ${inRoot(path)};`,
        ].join('\n'),
        resolveDir: root,
      }));
    },
  };
}

/** The files that modules import at once, and what those import. */
async function loadedAtOnce({ esbuild, initialOptions }: PluginBuild, start: readonly string[]) {
  const { metafile } = await esbuild.build({
    ...initialOptions,
    entryPoints: [...start],
    plugins: [
      {
        name: 'not-later',
        setup(build) {
          build.onResolve({ filter: /.*/ }, ({ path, kind }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          );
        },
      },
      ...(initialOptions.plugins ?? []).filter(({ name }) => name !== 'starts-as-one'),
    ],
  });
  return Object.keys(metafile?.inputs ?? {});
}

function isIn(folder: string, file: string): boolean {
  return file.startsWith(`${folder}/`) || file.startsWith(folder + sep);
}

function inRoot(file: string): string {
  return JSON.stringify(join(root, file));
}
