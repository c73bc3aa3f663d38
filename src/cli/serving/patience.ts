import { isMainThread, parentPort } from 'node:worker_threads';
import { PATIENCE } from './signals.ts';

/** What the thread that hears signals is told. */
export interface Patience {
  /** How long the end may take after a signal, milliseconds. */
  readonly patience: number;
}

let drain: (() => Promise<void>) | undefined;
let patience = PATIENCE;

/**
 * Before SIGTERM ends the server, it does this: at most so long, in milliseconds. Cleanup has its own time after.
 *
 * @returns what takes it back
 */
export function drainFirst(work: () => Promise<void>, atMost: number): () => void {
  drain = work;
  patience = PATIENCE + atMost;
  if (!isMainThread) parentPort?.postMessage({ patience } satisfies Patience);
  return () => {
    drain = undefined;
  };
}

/** How long the end may take after a signal, milliseconds. */
export function patienceNow(): number {
  return patience;
}

/** Does what comes before the end. */
export async function drained(): Promise<void> {
  await drain?.();
}
