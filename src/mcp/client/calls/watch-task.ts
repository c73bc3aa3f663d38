import type { RequestOptions } from '@modelcontextprotocol/client';
import type { Bell } from './bell.ts';
import type { CallInFlight } from './in-flight.ts';

/** How the requests about a task are made: the signal says that nobody wants it any more. */
export type HaltableRequest = RequestOptions & { readonly signal: AbortSignal };

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
  look(): Promise<T>;
  /** Whether there is nothing to wait for. */
  isDone(task: T): boolean;
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
export async function watchTask<T extends TaskStatus>(
  { begun, look, isDone, times, bell }: WatchedTask<T>,
  call: Pick<CallInFlight, 'log'>,
  signal: AbortSignal,
): Promise<T> {
  let task = begun;
  let said: string | undefined;
  for (;;) {
    const { status, statusMessage } = task;
    if (statusMessage && statusMessage !== said) call.log({ level: 'info', message: statusMessage });
    said = statusMessage ?? said;
    if (status === 'cancelled') throw new Error(statusMessage || 'the server has cancelled it');
    if (isDone(task)) return task;
    await pause(pauseOf(times(task)), signal, bell);
    bell.heed();
    task = await look();
  }
}

/** Does what a task is there for; whoever gives up meanwhile cancels the task. */
export async function cancelling<T>(
  signal: AbortSignal,
  cancel: () => void,
  body: () => Promise<T>,
): Promise<T> {
  signal.addEventListener('abort', cancel, { once: true });
  try {
    if (signal.aborted) cancel();
    signal.throwIfAborted();
    return await body();
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

/** As often as the server says, within bounds, and so often that the task is not forgotten between two looks. */
function pauseOf({ poll, ttl }: ReturnType<WatchedTask<TaskStatus>['times']>): number {
  const wanted = Math.min(poll ?? PAUSE, (ttl ?? Number.POSITIVE_INFINITY) / 2);
  return Math.min(LONGEST_PAUSE, Math.max(SHORTEST_PAUSE, wanted));
}

/** Waits for so long, or until it rings, though not less than the shortest; ends at once when nobody waits any more. */
async function pause(milliseconds: number, signal: AbortSignal, bell: Bell): Promise<void> {
  const soonest = performance.now() + SHORTEST_PAUSE;
  await new Promise<void>((resolve) => {
    let timer = setTimeout(done, milliseconds);
    const stop = bell.onRing(() => {
      clearTimeout(timer);
      timer = setTimeout(done, Math.max(0, soonest - performance.now()));
    });
    signal.addEventListener('abort', done, { once: true });
    function done() {
      clearTimeout(timer);
      stop();
      signal.removeEventListener('abort', done);
      resolve();
    }
  });
  signal.throwIfAborted();
}
