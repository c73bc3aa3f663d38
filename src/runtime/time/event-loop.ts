import { action, type Operation } from 'effection';

/** Calls back in the next turn of the event loop, unless what it returns is called first. */
export function nextTurn(then: () => void): () => void {
  if (typeof setImmediate === 'function') {
    const turn = setImmediate(then);
    return () => clearImmediate(turn);
  }
  // Older edge runtimes.
  if (typeof MessageChannel !== 'function') {
    const timer = setTimeout(then);
    return () => clearTimeout(timer);
  }
  // Browsers, and what is like them. Timers wait longer there.
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close();
    then();
  };
  port2.postMessage(undefined);
  return () => port1.close();
}

/** Waits for one turn of the event loop, so that timers, sockets and other calls get theirs. */
export function eventLoopTurn(): Operation<void> {
  return action<void>((resolve) => nextTurn(resolve), 'event loop turn');
}
