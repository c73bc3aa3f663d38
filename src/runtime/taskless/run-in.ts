import { ensure, Ok, type Operation, type Result, type Scope, scoped, suspend, until } from 'effection';
import { begin, type UnfinishedBeginning } from './begin.ts';
import { type Going, goOn } from './go-on.ts';
import { type ContextPlace, putContexts } from './wait.ts';

/** Where an operation is started, and who hears of its end. */
export interface StartPlace<T> {
  readonly scope: Scope;
  /** Puts in the contexts that it runs in over those of the scope. */
  readonly contexts?: ((into: ContextPlace) => void) | undefined;
  /** Hears once what it came to, when its cleanup is over, too; nothing where it was halted and that went well. */
  ended(result: Result<T> | undefined): void;
}

/**
 * Runs an operation in a scope, for who is no operation itself; when the scope ends, it is halted. Most requests are over
 * before their first effect, and most of the others only wait: a task for each would cost more than they do.
 */
export function runIn<T>(scope: Scope, op: () => Operation<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const ended = (result: Result<T> | undefined) => {
      if (result?.ok) resolve(result.value);
      else reject(result ? result.error : new Error('halted'));
    };
    startIn({ scope, ended }, op);
  });
}

/** The same for who may halt it. */
export function startIn<T>(place: StartPlace<T>, op: () => Operation<T>): Going {
  const begun = begin(op);
  if (begun.done) {
    place.ended(begun.result);
    return OVER;
  }
  return new Started(place, begun);
}

const OVER: Going = { halt() {} };

class Started<T> implements Going {
  readonly #place: StartPlace<T>;
  readonly #kept: Kept;
  #going: Going | undefined;
  #left = false;

  constructor(place: StartPlace<T>, begun: UnfinishedBeginning<T>) {
    this.#place = place;
    const { scope, contexts } = place;
    this.#kept = keptIn(scope);
    if (this.#kept.ended) {
      this.#runTask(begun.rest);
      return;
    }
    const going = goOn(begun, {
      scope,
      ...(contexts && { contexts }),
      over: (result) => {
        this.#leave();
        place.ended(result);
      },
      needsTask: ({ rest }) => {
        this.#leave();
        this.#runTask(rest);
      },
      halted: (cleanup) => {
        this.#leave();
        if (cleanup) this.#cleanUp(cleanup);
        else place.ended(undefined);
      },
    });
    if (this.#left) return;
    this.#going = going;
    this.#kept.going.add(going);
  }

  halt(): void {
    this.#going?.halt();
  }

  #leave(): void {
    this.#left = true;
    if (this.#going) this.#kept.going.delete(this.#going);
    this.#going = undefined;
    this.#kept.onLeave?.();
  }

  #runTask(rest: Operation<T>): void {
    const { scope, ended } = this.#place;
    const inContexts = () => this.#inContexts(rest);
    const task = scope.run(function* () {
      let result: Result<T> | undefined;
      try {
        result = Ok(yield* scoped(inContexts));
      } catch (error) {
        result = { ok: false, error: error as Error };
      } finally {
        ended(result);
      }
    });
    // What goes wrong on the way is caught there.
    this.#going = { halt: () => void task.halt().catch(() => {}) };
  }

  /** What is left to do for one that was halted: by somebody, or by the end of its scope, which waits for that. */
  #cleanUp(cleanup: Operation<void>): void {
    const { scope, ended } = this.#place;
    const inContexts = () => this.#inContexts(cleanup);
    function* clean(): Operation<Result<undefined>> {
      let result: Result<undefined> = Ok(undefined);
      try {
        yield* scoped(inContexts);
      } catch (error) {
        result = { ok: false, error: error as Error };
      }
      ended(result.ok ? undefined : result);
      return result;
    }
    if (this.#kept.ending) this.#kept.cleanups.push(clean());
    else scope.run(clean);
  }

  *#inContexts<R>(op: Operation<R>): Operation<R> {
    const { contexts } = this.#place;
    if (contexts) yield* putContexts(contexts);
    return yield* op;
  }
}

/** What goes on in a scope without a task, and what is to be done for it when the scope ends. */
interface Kept {
  ending: boolean;
  /** The scope has ended. */
  ended: boolean;
  readonly going: Set<Going>;
  /** One of them goes on no more. */
  onLeave?: () => void;
  readonly cleanups: Operation<Result<undefined>>[];
}

const KEPT = new WeakMap<Scope, Kept>();

function keptIn(scope: Scope): Kept {
  const known = KEPT.get(scope);
  if (known) return known;
  const kept: Kept = { ending: false, ended: false, going: new Set(), cleanups: [] };
  KEPT.set(scope, kept);
  const keeper = scope.run(function* () {
    yield* ensure(() => end(kept));
    yield* suspend();
  });
  // It ends with its scope, and in no other way.
  keeper.catch(() => {});
  return kept;
}

function nextToLeave(kept: Kept): Promise<void> {
  return new Promise((resolve) => {
    kept.onLeave = resolve;
  });
}

/** Halts everything; whatever one cleanup does, the others have their turn. */
function* end(kept: Kept): Operation<void> {
  kept.ending = true;
  const errors: unknown[] = [];
  do {
    const halted = [...kept.going];
    for (const one of halted) one.halt();
    // One of them may have ended the scope itself: it is halted when it is off the stack.
    yield* until(Promise.resolve());
    for (const cleanup of kept.cleanups.splice(0)) {
      const cleaned = yield* cleanup;
      if (!cleaned.ok) errors.push(cleaned.error);
    }
    const isWaiting = halted.some((one) => kept.going.has(one));
    if (isWaiting && kept.cleanups.length === 0) yield* until(nextToLeave(kept));
  } while (kept.going.size + kept.cleanups.length > 0);
  kept.ended = true;
  if (errors.length > 0) throw errors[0];
}
