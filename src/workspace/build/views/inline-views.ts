import { basename, dirname } from 'node:path';
import { type Operation, until } from 'effection';
import type { Esbuild, EsbuildService } from '../../bundler/esbuild-service.ts';
import type { ViewBundle } from '../../registry/view-bundle.ts';
import { lentByPage, VIEW_LOADERS } from './view-build.ts';
import { type SourceRoot, VIEWS_MODULE, type ViewFiles, viewRegistry } from './view-plugin.ts';

/** Views for a document that can load nothing. */
export interface InlinedViews {
  /** Hands them to `globalThis.parleyViews`. */
  readonly script: string;
  readonly style: string;
}

/** The views that a host build met, for a document that can load nothing. @throws what esbuild says of files that cannot be built */
export function* inlineViewFiles(
  esbuild: Esbuild,
  root: SourceRoot,
  files: ViewFiles,
): Operation<InlinedViews> {
  const { outputFiles } = yield* until(
    esbuild.build({
      ...INLINED,
      absWorkingDir: root.dir,
      stdin: {
        contents: `import { views } from '${VIEWS_MODULE}'; globalThis.parleyViews(views);`,
        resolveDir: root.dir,
      },
      outdir: root.dir,
      jsx: 'automatic',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: VIEW_LOADERS,
      plugins: [viewRegistry(root, files), lentByPage(true)],
    }),
  );
  const text = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  return { script: text('.js'), style: text('.css') };
}

const INLINED = {
  bundle: true,
  write: false,
  minify: true,
  format: 'iife',
  platform: 'browser',
  target: 'chrome136',
  legalComments: 'none',
  logLevel: 'silent',
} as const;

/**
 * A bundle of views as one script for a document that can load nothing: what it would import is in it, and it hands its views
 * to `globalThis.parleyViews` in place of exporting them.
 */
export function* inlineViews(service: EsbuildService, { script }: ViewBundle): Operation<string> {
  const { outputFiles } = yield* until(
    service.api().build({
      stdin: {
        contents: `import { views } from ${JSON.stringify(`./${basename(script)}`)}; globalThis.parleyViews(views);`,
        resolveDir: dirname(script),
      },
      ...INLINED,
    }),
  );
  return outputFiles[0]?.text ?? '';
}
