import { action, type Operation } from 'effection';

/** Waits for one turn of the event loop, so that timers, sockets and other calls get theirs. */
export function eventLoopTurn(): Operation<void> {
  return action<void>((resolve) => {
    const turn = setImmediate(resolve);
    return () => clearImmediate(turn);
  }, 'event loop turn');
}
