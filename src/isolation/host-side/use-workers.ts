import { all, ensure, type Operation, resource, until } from 'effection';
import type { RealmLink } from '../transport/link.ts';
import { launchWorker } from '../transport/worker-link.ts';
import type { RealmMaker } from './tool-home.ts';
import { DEFAULT_LIMITS, type WatchLimits } from './watch.ts';

/** What workers for tools are made of. */
export interface WorkersOptions {
  /** The module that they run: `dist/tool-worker.js`. */
  readonly entry: string | URL;
  readonly limits?: Partial<WatchLimits>;
  /** Where stdout is for messages only: what tools print goes to stderr. */
  readonly printsToStderr?: boolean;
  diagnose(message: string, cause?: unknown): void;
}

/** Workers for tools: none outlives the caller. */
export function useWorkers({
  entry,
  limits,
  printsToStderr = false,
  diagnose,
}: WorkersOptions): Operation<RealmMaker> {
  return resource(function* (provide) {
    const alive = new Set<RealmLink>();
    yield* ensure(function* () {
      yield* all(Array.from(alive, (link) => until(link.terminate())));
    });
    yield* provide({
      limits: { ...DEFAULT_LIMITS, ...limits },
      diagnose,
      launch(name) {
        const link = launchWorker(entry, name, printsToStderr);
        alive.add(link);
        void link.ended.then(() => alive.delete(link));
        return link;
      },
    });
  });
}
