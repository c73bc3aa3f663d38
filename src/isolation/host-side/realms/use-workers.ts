import { all, ensure, type Operation, resource, until } from 'effection';
import type { RealmLink } from '../../transport/link.ts';
import { launchWorker } from '../../transport/worker-link.ts';
import type { RealmMaker } from '../tool-home.ts';
import { DEFAULT_WATCH_LIMITS, type WatchLimits } from '../watch.ts';

/** What workers for tools are made of. */
export interface WorkersOptions {
  /** The module that they run: `dist/tool-worker.js`. */
  readonly entry: string | URL;
  readonly limits?: Partial<WatchLimits>;
  /** Where stdout is for messages only: what tools print goes to stderr. */
  readonly printsToStderr?: boolean;
  diagnose(message: string, cause?: unknown): void;
}

/** A spare worker is started when the one before it had so long for itself, milliseconds. */
const HEAD_START = 500;

/**
 * Workers for tools: none outlives the caller. From the first one on a spare is kept that has loaded what most tools need, so that
 * the first call of a file need not wait for a thread to start.
 */
export function useWorkers({
  entry,
  limits,
  printsToStderr = false,
  diagnose,
}: WorkersOptions): Operation<RealmMaker> {
  return resource(function* (provide) {
    const alive = new Set<RealmLink>();
    let spare: RealmLink | undefined;
    let timer: NodeJS.Timeout | undefined;
    let closing = false;
    yield* ensure(function* () {
      closing = true;
      clearTimeout(timer);
      yield* all(Array.from(alive, (link) => until(link.terminate())));
    });

    const start = (name: string) => {
      const link = launchWorker(entry, name, printsToStderr);
      alive.add(link);
      void link.ended.then(() => {
        alive.delete(link);
        if (spare === link) spare = undefined;
        // What it took is free: the machine has time now.
        else if (!closing) keepSpare();
      });
      return link;
    };
    const keepSpare = () => {
      spare ??= start('spare worker for tools');
    };
    yield* provide({
      limits: { ...DEFAULT_WATCH_LIMITS, ...limits },
      diagnose,
      prepare: keepSpare,
      launch(name) {
        const link = spare ?? start(name);
        spare = undefined;
        clearTimeout(timer);
        timer = setTimeout(keepSpare, HEAD_START);
        timer.unref();
        return link;
      },
    });
  });
}
