import { basename, dirname } from 'node:path';
import { type Operation, until } from 'effection';
import type { EsbuildService } from '../bundler/esbuild-service.ts';
import type { ViewBundle } from '../registry/view-bundle.ts';

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
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      platform: 'browser',
      target: 'chrome136',
      legalComments: 'none',
      logLevel: 'silent',
    }),
  );
  return outputFiles[0]?.text ?? '';
}
