import { ensure, type Operation, type Scope, scoped, suspend, until } from 'effection';
import { begin } from './begin.ts';
import { type Going, goOn } from './go-on.ts';

/**
 * Runs an operation in a scope, for who is no operation itself; when the scope ends, it is halted. Most requests are over
 * before their first effect, and most of the others only wait: a task for each would cost more than they do.
 */
export async function runIn<T>(scope: Scope, op: () => Operation<T>): Promise<T> {
  const begun = begin(op);
  if (begun.done) {
    if (begun.result.ok) return begun.result.value;
    throw begun.result.error;
  }
  const kept = keptIn(scope);
  if (kept.ended) return await scope.run(() => begun.rest);
  return await new Promise<T>((resolve, reject) => {
    let going: Going | undefined;
    let left = false;
    const leave = () => {
      left = true;
      if (going) kept.going.delete(going);
    };
    going = goOn(begun, {
      scope,
      over(result) {
        leave();
        if (result.ok) resolve(result.value);
        else reject(result.error);
      },
      needsTask({ rest }) {
        leave();
        scope.run(() => rest).then(resolve, reject);
      },
      halted(cleanup) {
        leave();
        if (cleanup) kept.cleanups.push(cleanup);
        reject(new Error('halted'));
      },
    });
    if (!left) kept.going.add(going);
  });
}

/** What goes on in a scope without a task, and what is to be done for it when the scope ends. */
interface Kept {
  /** The scope has ended. */
  ended: boolean;
  readonly going: Set<Going>;
  readonly cleanups: Operation<void>[];
}

const KEPT = new WeakMap<Scope, Kept>();

function keptIn(scope: Scope): Kept {
  const known = KEPT.get(scope);
  if (known) return known;
  const kept: Kept = { ended: false, going: new Set(), cleanups: [] };
  KEPT.set(scope, kept);
  const keeper = scope.run(function* () {
    yield* ensure(() => end(kept));
    yield* suspend();
  });
  // It ends with its scope, and in no other way.
  keeper.catch(() => {});
  return kept;
}

/** Halts everything; whatever one cleanup does, the others have their turn. */
function* end(kept: Kept): Operation<void> {
  const errors: unknown[] = [];
  do {
    for (const one of kept.going) one.halt();
    // One of them may have ended the scope itself: it is halted when it is off the stack.
    yield* until(Promise.resolve());
    for (const cleanup of kept.cleanups.splice(0)) {
      try {
        yield* scoped(() => cleanup);
      } catch (error) {
        errors.push(error);
      }
    }
  } while (kept.going.size + kept.cleanups.length > 0);
  kept.ended = true;
  if (errors.length > 0) throw errors[0];
}
