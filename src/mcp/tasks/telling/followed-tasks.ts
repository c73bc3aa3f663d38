import { action, type Operation } from 'effection';
import type { Calls } from '../../../calls/port.ts';
import type { CallName } from '../../../runtime/journal/call-store.ts';
import type { ServerParts } from '../../host.ts';
import { RPC, RpcError } from '../../wire/rpc/rpc-error.ts';
import { type Follower, isOver, type Task } from '../task.ts';

/** What following a task needs. */
export interface FollowingParts {
  readonly host: Pick<ServerParts, 'run' | 'report'>;
  readonly calls: Pick<Calls, 'watch'>;
  /** How a task stands. @throws `-32602` for one that is not there */
  look(name: CallName): Operation<Task>;
  /** How often followers are told of a new message, milliseconds. */
  readonly pollInterval: number;
}

interface Followed {
  readonly followers: Set<Follower>;
  task: Task;
  toldAt: number;
  /** Ends the looking. */
  stop(): void;
}

/** Between two looks at a task of which nothing is heard, milliseconds: the first and the longest. */
const SOON = 5_000;
const LATER = 30_000;

/**
 * Tasks of which somebody wants to hear without asking. However many follow one, it is looked at once: when there is news of it, and, since
 * what happens in another process may not be heard, by ourselves, less and less often.
 */
export class FollowedTasks {
  readonly #parts: FollowingParts;
  /** By principal and id. */
  readonly #followed = new Map<string, Followed>();

  constructor(parts: FollowingParts) {
    this.#parts = parts;
  }

  /** Tells how it stands, now and whenever that changes, until nothing more comes of it, or what this gives is called. */
  *follow(name: CallName, follower: Follower): Operation<() => void> {
    const task = yield* this.#parts.look(name);
    if (isOver(task)) {
      follower.told(task);
      follower.over();
      return () => {};
    }
    const key = JSON.stringify([name.principal, name.callId]);
    const followed = this.#followed.get(key) ?? this.#begin(key, name, task);
    followed.followers.add(follower);
    follower.told(followed.task);
    return () => {
      followed.followers.delete(follower);
      if (followed.followers.size === 0) followed.stop();
    };
  }

  #begin(key: string, name: CallName, task: Task): Followed {
    const { host, calls } = this.#parts;
    const bell = new Bell();
    const deafen = calls.watch(name, bell.ring);
    let stopped = false;
    const followed: Followed = {
      ...{ followers: new Set(), task, toldAt: performance.now() },
      stop: () => {
        if (stopped) return;
        stopped = true;
        deafen();
        bell.ring();
        if (this.#followed.get(key) === followed) this.#followed.delete(key);
        for (const { over } of followed.followers) over();
      },
    };
    this.#followed.set(key, followed);
    const self = this;
    const looking = host.run(function* () {
      let pause = SOON;
      while (!stopped) {
        // What happened since the look before this one may have been told to nobody.
        const quiet = yield* self.#look(name, followed);
        if (stopped) return;
        pause = quiet === 'told' ? SOON : Math.min(2 * pause, LATER);
        yield* bell.rung(typeof quiet === 'number' ? Math.min(quiet, pause) : pause);
      }
    });
    looking
      .catch((cause: unknown) => host.report('a task could not be followed', cause))
      .finally(followed.stop);
    return followed;
  }

  /** Looks, and tells what is new. Gives whether there was anything, or how long until it may be told, milliseconds. */
  *#look(name: CallName, followed: Followed): Operation<'told' | 'same' | number> {
    const { host, look, pollInterval } = this.#parts;
    let task: Task;
    try {
      task = yield* look(name);
    } catch (error) {
      // Its time is over; all else may pass.
      if (isGone(error)) followed.stop();
      else host.report('a task that is followed could not be looked at', error, 'state');
      return 'same';
    }
    const isNew = newsIn(task) !== newsIn(followed.task);
    if (!isNew && task.message === followed.task.message) return 'same';
    const wait = followed.toldAt + pollInterval - performance.now();
    if (!isNew && wait > 0) return wait;
    followed.task = task;
    followed.toldAt = performance.now();
    for (const { told } of [...followed.followers]) told(task);
    if (isOver(task)) followed.stop();
    return 'told';
  }
}

/** Rings when there is news. What rings between two waits is not lost. */
class Bell {
  #isRung = false;
  #wake = () => {};

  readonly ring = (): void => {
    this.#isRung = true;
    this.#wake();
  };

  /** Waits for that, and so many milliseconds at most. */
  *rung(milliseconds: number): Operation<void> {
    yield* action<void>((resolve) => {
      this.#wake = resolve;
      const timer = setTimeout(resolve, this.#isRung ? 0 : milliseconds);
      return () => clearTimeout(timer);
    });
    this.#isRung = false;
  }
}

/** What of a task is news at once: its status, and what it asks. */
function newsIn({ status, questions = {} }: Task): string {
  return [status, ...Object.keys(questions)].join(' ');
}

function isGone(error: unknown): boolean {
  return error instanceof RpcError && error.code === RPC.invalidParams;
}
