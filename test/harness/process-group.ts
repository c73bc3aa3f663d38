import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Stops a child and everything the child has started. */
export interface ProcessGroup {
  stop(): Promise<void>;
}

const graceMs = 3_000;

/**
 * Ties a detached child's process group to this process: the group goes when `stop` is called, when this process
 * exits, and when it is interrupted or terminated.
 */
export function stopWithParent(child: ChildProcess): ProcessGroup {
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  const killNow = (): void => signal(child, 'SIGKILL');
  // Before anything that tidies up after the group.
  process.prependOnceListener('exit', killNow);
  const forget = handleSignals();
  return {
    async stop() {
      signal(child, 'SIGTERM');
      await Promise.race([ended, delay(graceMs, undefined, { ref: false })]);
      // Also after a clean end: a server leaves extension hosts behind while it hopes for a reconnection.
      killNow();
      await ended;
      process.off('exit', killNow);
      forget();
    },
  };
}

function signal(child: ChildProcess, name: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The group is gone already.
  }
}

let users = 0;
const exitOnSignal = (name: NodeJS.Signals): void => process.exit(name === 'SIGINT' ? 130 : 143);

/** A signal's default end skips `exit` handlers; going through `process.exit` runs them. */
function handleSignals(): () => void {
  if (users++ === 0)
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, exitOnSignal);
  return () => {
    if (--users === 0)
      for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.off(name, exitOnSignal);
  };
}
