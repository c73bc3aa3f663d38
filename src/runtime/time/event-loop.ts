import type { Operation } from 'effection';
import { wait } from '../call/wait.ts';

/** Waits for one turn of the event loop, so that timers, sockets and other calls get theirs. */
export function eventLoopTurn(): Operation<void> {
  return wait<void>((resolve) => {
    const turn = setImmediate(resolve);
    return () => clearImmediate(turn);
  }, 'event loop turn');
}

/** Lets everything go on that can at once; then waits for a turn of the event loop that begins behind theirs. */
export function turnAfterAll(): Operation<void> {
  return wait<void>((resolve) => {
    let turn: NodeJS.Immediate | undefined;
    let halted = false;
    queueMicrotask(() => {
      if (!halted) turn = setImmediate(resolve);
    });
    return () => {
      halted = true;
      clearImmediate(turn);
    };
  }, 'turn behind all');
}
