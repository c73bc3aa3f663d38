import { type Operation, resource } from 'effection';
import { type BrokenFiles, withoutBrokenFiles } from './broken-files.ts';
import type { EsbuildService } from './esbuild-service.ts';
import { type IncrementalBuild, type MemoryBuildOptions, useIncrementalBuild } from './incremental-build.ts';

/**
 * A build that leaves out what is in `broken`. Two contexts, the second made when the first file is broken: leaving files
 * out means to look at each of them on this side, which is a third of what a build takes.
 */
export function useBuildWithout(
  service: EsbuildService,
  broken: BrokenFiles,
  options: MemoryBuildOptions,
): Operation<IncrementalBuild> {
  const { plugins = [] } = options;
  return resource(function* (provide) {
    const whole = yield* useIncrementalBuild(service, options);
    const around = yield* useIncrementalBuild(service, {
      ...options,
      plugins: [withoutBrokenFiles(broken), ...plugins],
    });
    yield* provide({ run: () => (broken.size === 0 ? whole : around).run() });
  });
}
