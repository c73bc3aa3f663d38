import { type Operation, resource, until } from 'effection';
import type { BuildContext, BuildFailure, BuildOptions, BuildResult, Message } from 'esbuild';
import type { EsbuildService } from './esbuild-service.ts';

/** What one build came to: a result, or the errors it failed with. */
export type BuildAttempt =
  | { readonly result: BuildResult<{ metafile: true; write: false }> }
  | { readonly errors: readonly Message[] };

/** A build that keeps what it read between runs. */
export interface IncrementalBuild {
  run(): Operation<BuildAttempt>;
}

/** Options of a build whose outputs stay in memory. */
export type MemoryBuildOptions = Omit<BuildOptions, 'write' | 'metafile' | 'logLevel' | 'logLimit'>;

/**
 * An esbuild context as a resource. When the bundler's process was lost, the next run makes the context anew.
 *
 * @throws what is not an error of the sources, as when the bundler cannot be started.
 */
export function useIncrementalBuild(
  service: EsbuildService,
  options: MemoryBuildOptions,
): Operation<IncrementalBuild> {
  return resource(function* (provide) {
    let made: { context: BuildContext<{ metafile: true; write: false }>; generation: number } | undefined;

    function* current() {
      if (made?.generation === service.generation) return made.context;
      const { generation } = service;
      const context = yield* until(
        service.api().context({ ...options, write: false, metafile: true, logLevel: 'silent', logLimit: 0 }),
      );
      made = { context, generation };
      return context;
    }

    function* attempt(): Operation<BuildAttempt> {
      const context = yield* current();
      try {
        return { result: yield* until(context.rebuild()) };
      } catch (failure) {
        const { errors } = failure as Partial<BuildFailure>;
        if (!Array.isArray(errors)) throw failure;
        return { errors };
      }
    }

    try {
      yield* provide({
        *run() {
          const { generation } = service;
          try {
            return yield* attempt();
          } catch {
            // Not an error of the sources: the process was lost. One more try with another, unless there is one already.
            if (service.generation === generation) yield* service.restart();
            return yield* attempt();
          }
        },
      });
    } finally {
      // The process may be gone already, and the context with it.
      made?.context.dispose().catch(() => {});
    }
  });
}
