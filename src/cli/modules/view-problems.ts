import type { Operation } from 'effection';
import { buildProblems } from '../../workspace/build/build-problems.ts';
import { inlineViewFiles } from '../../workspace/build/views/inline-views.ts';
import type { Problem } from '../../workspace/registry/problem.ts';
import type { ModuleViews } from './bundle-modules.ts';
import { type BuildMessage, useBundler } from './bundler.ts';

/** What keeps the views of modules out of a page: a server builds them only when a client comes that shows pages. */
export function* viewProblems({ root, files }: ModuleViews): Operation<readonly Problem[]> {
  if (files.size === 0) return [];
  try {
    yield* inlineViewFiles(yield* useBundler(root.dir), root, files);
    return [];
  } catch (failure) {
    const { errors } = failure as { readonly errors?: readonly BuildMessage[] };
    if (!errors) throw failure;
    return buildProblems(errors, 'error', root.dir);
  }
}
