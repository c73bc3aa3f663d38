import { type Operation, scoped, until, useScope } from 'effection';
import { isPlugin } from '../../core/plugin/guards.ts';
import { toolOf } from '../../core/plugin/offer.ts';
import type { OwnPagesOptions, PageViews } from '../../mcp/index.ts';
import type { Collection } from '../collect.ts';
import type { ModuleViews } from '../modules/bundle-modules.ts';
import { say } from '../terminal-text.ts';

/** The views of the tools that are served, for pages in conversations: bundled when a client that shows pages comes first. */
export function* usePageViews(
  { tools }: Collection,
  views: ModuleViews | undefined,
): Operation<OwnPagesOptions['views']> {
  if (!views || views.files.size === 0) return undefined;
  const scope = yield* useScope();
  let bundled: Promise<PageViews> | undefined;
  const bundle = (): Promise<PageViews> => {
    bundled ??= new Promise((resolve, reject) => {
      // What cannot be built is told to who asked for it: a task that fails would end the server.
      void scope.run(function* () {
        try {
          resolve(yield* scoped(() => bundledViews(views)));
        } catch (failure) {
          say('views cannot be put into pages: their questions have forms there', failure);
          reject(failure);
        }
      });
    });
    return bundled;
  };
  return async (name) => {
    const served = ('list' in tools ? tools.list() : tools).find((one) => toolOf(one).name === name);
    return isPlugin(served) ? await bundle() : undefined;
  };
}

function* bundledViews({ root, files }: ModuleViews): Operation<PageViews> {
  const [{ inlineViewFiles }, { useBundler }] = yield* until(
    Promise.all([import('../../workspace/build/views/inline-views.ts'), import('../modules/bundler.ts')]),
  );
  return yield* inlineViewFiles(yield* useBundler(root.dir), root, files);
}
