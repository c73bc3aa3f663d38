import type { Operation } from 'effection';
import type { Plugin } from 'esbuild';
import type { BrokenFiles } from '../../bundler/broken-files.ts';
import { useBuildWithout } from '../../bundler/build-without.ts';
import type { EsbuildService } from '../../bundler/esbuild-service.ts';
import type { IncrementalBuild } from '../../bundler/incremental-build.ts';
import { OUTPUT_FOLDER } from '../host-build.ts';
import { builtZod, installedZod, ZOD_BESIDE } from '../zod-file.ts';
import { type SourceRoot, VIEWS_MODULE, type ViewFiles, viewRegistry } from './view-plugin.ts';

/** What the view build of a folder works on. */
export interface ViewBuildInput {
  readonly root: SourceRoot;
  /** What the host build found. */
  readonly views: ViewFiles;
  readonly broken: BrokenFiles;
}

/** The page may load images from data: URLs and nothing from elsewhere. */
export const VIEW_LOADERS = {
  '.svg': 'dataurl',
  '.png': 'dataurl',
  '.jpg': 'dataurl',
  '.gif': 'dataurl',
  '.webp': 'dataurl',
} as const;

/** The build of one module with all views of a folder, for the page. */
export function useViewBuild(service: EsbuildService, input: ViewBuildInput): Operation<IncrementalBuild> {
  return useBuildWithout(service, input.broken, {
    absWorkingDir: input.root.dir,
    entryPoints: { views: VIEWS_MODULE },
    outdir: OUTPUT_FOLDER,
    bundle: true,
    format: 'esm',
    platform: 'browser',
    target: 'chrome136',
    jsx: 'automatic',
    sourcemap: 'external',
    sourcesContent: false,
    legalComments: 'none',
    define: { 'process.env.NODE_ENV': '"production"' },
    loader: VIEW_LOADERS,
    plugins: [viewRegistry(input.root, input.views), lentByPage()],
  });
}

/**
 * What the page lends is read from where it puts it: see `webview/shared-modules.ts`.
 *
 * @param alone the bundle will have no zod beside it
 */
export function lentByPage(alone = false): Plugin {
  return {
    name: 'parley-lent-by-page',
    setup(build) {
      build.onResolve({ filter: /^(react|react-dom|parley-mcp)($|\/)/ }, ({ path, importer }) => {
        if (LENT_TO_PAGE.includes(path)) return { path, namespace: 'parley-page' };
        if (!path.startsWith('parley-mcp')) return undefined;
        return {
          errors: [{ text: `a view (${importer}) imports from 'parley-mcp/webview', not from '${path}'` }],
        };
      });
      const built = builtZod();
      build.onResolve({ filter: /^zod(\/v4)?$/ }, () =>
        built !== undefined && !alone
          ? { path: `./${ZOD_BESIDE}`, external: true }
          : { path: built ?? installedZod() },
      );
      build.onLoad({ filter: /./, namespace: 'parley-page' }, ({ path }) => ({
        contents: `module.exports = globalThis[Symbol.for('parley.webview.modules')][${JSON.stringify(path)}];`,
      }));
    },
  };
}

/** The modules that the page lends to views: it puts them where `webview/shared-modules.ts` says. */
const LENT_TO_PAGE: readonly string[] = ['react', 'react/jsx-runtime', 'react-dom', 'parley-mcp/webview'];
