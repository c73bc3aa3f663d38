import { action, type Operation } from 'effection';

/** Ends when a signal has aborted. */
export function aborted(signal: AbortSignal): Operation<undefined> {
  return action((resolve) => {
    const stop = () => resolve(undefined);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
    return () => signal.removeEventListener('abort', stop);
  });
}
