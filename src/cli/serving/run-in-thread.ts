import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { parentPort, Worker } from 'node:worker_threads';
import { say } from '../terminal-text.ts';
import { servedAtTerminal } from '../usage.ts';
import { logsJson, sayJson } from './json-log.ts';
import type { Patience } from './patience.ts';
import { END_SIGNALS, PATIENCE } from './signals.ts';

/** What goes on to the thread. SIGUSR2 does not end it. */
const FORWARDED = [...END_SIGNALS, 'SIGUSR2'] as const;

/** So much later than its own patience ends, a thread that was told to end is ended, milliseconds. */
const GRACE = 500;

/**
 * Runs a command line in another thread and leaves this one to the signals: Node delivers signals to the main thread only, and
 * only between two turns of its event loop. So a server whose tool loops for ever still ends when it is told to.
 *
 * @param entry the module that the thread runs; it calls {@link hearSignals}
 */
export function runInThread(entry: URL, argv: readonly string[]): void {
  if (logsJson(argv)) sayJson();
  // It makes much while it starts, and keeps little of it: with less room a tenth of its start is spent on collecting that.
  setFlagsFromString('--min-semi-space-size=8');
  const thread = new Worker(entry, {
    name: 'parley serve',
    argv: [...argv],
    stdin: true,
    // As much as this thread has.
    resourceLimits: { maxOldGenerationSizeMb: Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20) },
  });
  const { stdin } = thread;
  // With HTTP nobody reads it, and a job in the background that reads its terminal is stopped.
  const isClient = !argv.includes('--http') && argv[0] !== 'dev';
  if (isClient && process.stdin.isTTY) say(servedAtTerminal);
  if (stdin && isClient) process.stdin.pipe(stdin);
  process.stdout.on('error', () => {
    // A client that is gone breaks the pipe: that is the end of the input, not a crash.
    if (isClient) stdin?.end();
    // Who started a server and has read where it is may not read on. What its tools print is not kept for them.
    else thread.stdout.resume();
  });
  process.stderr.on('error', () => thread.stderr.resume());
  let patience: number = PATIENCE;
  thread.on('message', (told: Patience) => {
    patience = told.patience;
  });
  for (const signal of FORWARDED) process.on(signal, () => thread.postMessage(signal));
  for (const signal of END_SIGNALS) {
    process.once(signal, () => void setTimeout(() => process.exit(0), patience + GRACE));
  }
  thread.once('error', (error) => {
    say(error instanceof Error ? error.message : String(error));
    process.exit(1);
  });
  thread.once('exit', (code) => process.exit(code));
}

/** Emits in this thread the signals that the main one hears. */
export function hearSignals(): void {
  parentPort?.on('message', (signal: NodeJS.Signals) => process.emit(signal, signal)).unref();
}
