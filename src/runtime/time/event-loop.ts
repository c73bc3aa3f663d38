import type { Operation } from 'effection';
import { wait } from '../taskless/wait.ts';

/** Waits for one turn of the event loop, so that timers, sockets and other calls get theirs. */
export function eventLoopTurn(): Operation<void> {
  return wait<void>((resolve) => {
    const turn = setImmediate(resolve);
    return () => clearImmediate(turn);
  }, 'event loop turn');
}
