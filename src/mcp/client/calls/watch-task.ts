import { type Operation, race, sleep } from 'effection';
import type { Bell } from './bell.ts';
import type { CallInFlight } from './in-flight.ts';

/** How a task stands, in either generation. */
export interface TaskStatus {
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';
  readonly statusMessage?: string | null | undefined;
}

/** How often it is looked how a task stands, whatever its server says. Milliseconds. */
const SHORTEST_PAUSE = 100;
const LONGEST_PAUSE = 10_000;
const PAUSE = 1_000;

/** A task, as its generation words it. */
export interface WatchedTask<T extends TaskStatus> {
  /** What its server said of it last. */
  readonly begun: T;
  /** Asks how it stands. */
  look(): Operation<T>;
  /** Whether there is nothing to wait for. */
  isDone(task: T): Operation<boolean>;
  /** How often its server wants to be asked, and how long it keeps the task, in milliseconds. */
  times(task: T): { readonly poll?: number | null | undefined; readonly ttl?: number | null | undefined };
  /** Rings when it is worth a look before that. */
  readonly bell: Bell;
}

/**
 * Looks how a task stands until there is nothing to wait for, and says what its server says of it.
 *
 * @throws `Error` for one that the server has cancelled
 */
export function* watchTask<T extends TaskStatus>(
  { begun, look, isDone, times, bell }: WatchedTask<T>,
  call: Pick<CallInFlight, 'log'>,
): Operation<T> {
  let task = begun;
  let said: string | undefined;
  for (;;) {
    const { status, statusMessage } = task;
    if (statusMessage && statusMessage !== said) call.log({ level: 'info', message: statusMessage });
    said = statusMessage ?? said;
    if (status === 'cancelled') throw new Error(statusMessage || 'the server has cancelled it');
    if (yield* isDone(task)) return task;
    yield* sleep(SHORTEST_PAUSE);
    yield* race([sleep(pauseOf(times(task)) - SHORTEST_PAUSE), bell.rung()]);
    bell.heed();
    task = yield* look();
  }
}

/** As often as the server says, within bounds, and so often that the task is not forgotten between two looks. */
function pauseOf({ poll, ttl }: ReturnType<WatchedTask<TaskStatus>['times']>): number {
  const wanted = Math.min(poll ?? PAUSE, (ttl ?? Number.POSITIVE_INFINITY) / 2);
  return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wanted));
}
