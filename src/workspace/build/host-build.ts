import type { Operation } from 'effection';
import type { Plugin } from 'esbuild';
import type { BrokenFiles } from '../bundler/broken-files.ts';
import { useBuildWithout } from '../bundler/build-without.ts';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import type { IncrementalBuild } from '../bundler/incremental-build.ts';
import { lentModules } from './lent-plugin.ts';
import { literally } from './literally.ts';
import { type SourceRoot, type ViewFiles, viewReferences } from './views/view-plugin.ts';

/** What the host build of a folder works on; the caller changes `files` and `broken` between runs. */
export interface HostBuildInput {
  readonly root: SourceRoot;
  /** Absolute paths of the files that may hold tools. */
  files: readonly string[];
  readonly broken: BrokenFiles;
  /** Filled in by each run. */
  readonly views: ViewFiles;
}

/** The made-up module that imports all tool files. */
export const HOST_ENTRY = 'parley:entry';

/** Where outputs would lie if they were written. */
export const OUTPUT_FOLDER = '.parley/.out';

/**
 * One build for all tool files of a folder. Each file is imported dynamically by one made-up entry: so files come and go
 * without a new context, and what they share is in chunks that exist once.
 */
export function useHostBuild(service: EsbuildService, input: HostBuildInput): Operation<IncrementalBuild> {
  return useBuildWithout(service, input.broken, {
    absWorkingDir: input.root.dir,
    entryPoints: [HOST_ENTRY],
    outdir: OUTPUT_FOLDER,
    // Not by their files: esbuild throws where nobody catches it when one of those has a line feed or a quotation mark in its name.
    chunkNames: '[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: `node${process.versions.node}`,
    // Outputs become CommonJS, which has none: say so at the author's line.
    supported: { 'top-level-await': false },
    jsx: 'automatic',
    // Modules run as functions, which are given these. Here, for a build does this once, and making each output CommonJS did it again.
    define: {
      'import.meta.url': 'parleyUrl',
      'import.meta.filename': '__filename',
      'import.meta.dirname': '__dirname',
    },
    sourcemap: 'inline',
    sourcesContent: false,
    legalComments: 'none',
    loader: { '.css': 'empty', '.svg': 'text', '.md': 'text', '.txt': 'text' },
    plugins: [entryOf(input), lentModules(), viewReferences(input.root, input.views)],
  });
}

function entryOf(input: HostBuildInput): Plugin {
  return {
    name: 'parley-entry',
    setup(build) {
      literally(build);
      build.onResolve({ filter: /^parley:entry$/ }, ({ path }) => ({ path, namespace: 'parley' }));
      build.onLoad({ filter: /^parley:entry$/, namespace: 'parley' }, () => ({
        contents: input.files.map((file) => `import(${JSON.stringify(file)});`).join('\n'),
        resolveDir: input.root.dir,
      }));
    },
  };
}
