import { readFile } from 'node:fs/promises';
import { dirname, extname, relative, sep } from 'node:path';
import type { BuildFailure, Loader, Plugin, PluginBuild } from 'esbuild';
import { defined } from '../../../core/schema/defined.ts';
import { literally } from '../literally.ts';
import { BUILD_PLACEHOLDER } from './view-stamp.ts';

/** What files a view may be in. */
export const VIEW_FILE = /\.view\.[jt]sx?$/;

/** The module that, in a webview bundle, holds every view of the build by key. */
export const VIEWS_MODULE = 'parley:views';

/** Where the views of a build come from. `id` tells two folders apart that hold the same path. */
export interface SourceRoot {
  readonly id: string;
  readonly dir: string;
}

/**
 * The views that a host build met, with the names that each file exports. The webview build that follows bundles these
 * and no others, so that both speak of the same views wherever in the workspace the files are.
 */
export type ViewFiles = Map<string, readonly string[]>;

/** The key under which the page finds a view: source root, path, export and build hash. */
export function viewKey(root: SourceRoot, file: string, name: string): string {
  const path = relative(root.dir, file).split(sep).join('/');
  return `${root.id}:${path}#${name}@${BUILD_PLACEHOLDER}`;
}

/**
 * The esbuild plugin for host bundles: an import of a `*.view.tsx` file becomes one reference per export, and no code
 * of the component gets in. What it meets goes into `found`.
 */
export function viewReferences(root: SourceRoot, found: ViewFiles): Plugin {
  return {
    name: 'parley-view-references',
    setup(build) {
      const known = new Map<string, { text: string; names: readonly string[] }>();
      build.onStart(() => found.clear());
      build.onLoad({ filter: VIEW_FILE, namespace: 'file' }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const before = known.get(path);
        const read = before?.text === text ? before : await exportedNames(build, path, text);
        if ('errors' in read) return read;
        known.set(path, { text, names: read.names });
        found.set(path, read.names);
        return { contents: read.names.map((name) => referenceSource(root, path, name)).join('\n') };
      });
    },
  };
}

/** The esbuild plugin for webview bundles: makes `parley:views` out of what the host build found. */
export function viewRegistry(root: SourceRoot, found: ViewFiles): Plugin {
  return {
    name: 'parley-view-registry',
    setup(build) {
      literally(build);
      build.onResolve({ filter: /^parley:views$/ }, () => ({ path: VIEWS_MODULE, namespace: 'parley' }));
      build.onLoad({ filter: /^parley:views$/, namespace: 'parley' }, () => ({
        contents: registrySource(root, found),
        resolveDir: root.dir,
      }));
    },
  };
}

/** What a file exports, or why it cannot be read. Types are gone by then: only values count. */
async function exportedNames(build: PluginBuild, path: string, text: string) {
  const { absWorkingDir } = build.initialOptions;
  const read = build.esbuild.build({
    // As a text: a path may hold what esbuild takes for a pattern.
    stdin: {
      contents: text,
      sourcefile: path,
      resolveDir: dirname(path),
      loader: extname(path).slice(1) as Loader,
    },
    bundle: false,
    write: false,
    format: 'esm',
    metafile: true,
    outdir: 'views',
    jsx: 'automatic',
    logLevel: 'silent',
    // Places in messages are relative to it.
    ...defined({ absWorkingDir }),
  });
  try {
    const { metafile } = await read;
    return { names: Object.values(metafile.outputs).flatMap((output) => output.exports) };
  } catch (failure) {
    return { errors: (failure as BuildFailure).errors };
  }
}

function referenceSource(root: SourceRoot, file: string, name: string): string {
  const reference = JSON.stringify({ kind: 'parley.view', key: viewKey(root, file, name), name });
  return name === 'default'
    ? `export default Object.freeze(${reference});`
    : `const ${localName(name)} = Object.freeze(${reference}); export { ${localName(name)} as ${name} };`;
}

/** A local name that no reserved word can clash with. */
function localName(name: string): string {
  return `view_${name}`;
}

function registrySource(root: SourceRoot, found: ViewFiles): string {
  const files = [...found].sort(([a], [b]) => (a < b ? -1 : 1));
  const imports = files.map(([file], index) => `import * as file${index} from ${JSON.stringify(file)};`);
  const entries = files.flatMap(([file, names], index) =>
    names.map((name) => `  ${JSON.stringify(viewKey(root, file, name))}: file${index}.${name},`),
  );
  return [...imports, 'export const views = {', ...entries, '};'].join('\n');
}
