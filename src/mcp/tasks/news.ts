import { action, type Operation } from 'effection';
import type { CallName, CallStore } from '../../runtime/journal/call-store.ts';
import type { ServerParts } from '../host.ts';

/** One who waits for news of a task. News between two waits is not lost. */
export interface Ear {
  /** Waits for news, and so many milliseconds at most: what is told in other processes may not be heard. */
  next(milliseconds: number): Operation<void>;
  /** Hears nothing more, and ends a wait. */
  close(): void;
}

/** Who waits for news of which task: in this process, and where the store can tell, in others. */
export class TaskNews {
  readonly #host: Pick<ServerParts, 'run'>;
  readonly #store: CallStore | undefined;
  readonly #here = new Map<string, Set<() => void>>();

  constructor(host: Pick<ServerParts, 'run'>, store: CallStore | undefined) {
    this.#host = host;
    this.#store = store;
  }

  /** Tells those who wait in this process. */
  tellHere({ callId }: CallName): void {
    for (const hear of [...(this.#here.get(callId) ?? [])]) hear();
  }

  /** Tells everybody. Nobody waits for that: who does not hear looks by itself. */
  tell(name: CallName): void {
    this.tellHere(name);
    const { tell } = this.#store ?? {};
    if (tell) this.#host.run(() => tell.call(this.#store, name)).catch(() => {});
  }

  /** Listens for news of a task, until it is closed. */
  ear(name: CallName): Ear {
    let heard = false;
    let wake = () => {};
    const hear = () => {
      heard = true;
      wake();
    };
    const here = this.#here.get(name.callId) ?? new Set();
    this.#here.set(name.callId, here.add(hear));
    const stop = this.#store?.watch?.(name, hear);
    return {
      *next(milliseconds) {
        yield* action<void>((resolve) => {
          wake = resolve;
          const timer = heard ? undefined : setTimeout(resolve, Math.min(milliseconds, LONGEST));
          if (heard) resolve();
          return () => {
            wake = () => {};
            clearTimeout(timer);
          };
        });
        heard = false;
      },
      close: () => {
        stop?.();
        here.delete(hear);
        wake();
        if (here.size === 0 && this.#here.get(name.callId) === here) this.#here.delete(name.callId);
      },
    };
  }
}

/** Between two looks at a task that another process has, milliseconds: the first and the longest. */
export const SOON = 20;
export const LATER = 500;

/** Timers take no more, milliseconds. */
const LONGEST = 2 ** 31 - 1;
