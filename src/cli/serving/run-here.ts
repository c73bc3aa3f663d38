import { createScope, type Operation, until } from 'effection';
import { say } from '../terminal-text.ts';
import { logsJson, makeLogJson } from './json-log.ts';
import { drained, patienceNow } from './patience.ts';
import { END_SIGNALS } from './signals.ts';

/**
 * Runs a command line in this thread, and ends it with the exit code.
 *
 * @param load gives what is run
 * @param holds it has something to put in order when a signal ends it. Who listens to signals hears none while a module loops for ever:
 * everything else is ended by them as any program is
 */
export function runHere(
  argv: readonly string[],
  holds: boolean,
  load: () => Promise<() => Operation<number>>,
): void {
  if (logsJson(argv)) makeLogJson(process.stderr);
  const [scope] = createScope();
  const loading = load();
  const task = scope.run(function* () {
    const command = yield* until(loading);
    return yield* command();
  });

  let isLeft = false;
  const leave = (code: number) => {
    isLeft = true;
    process.exit(code);
  };
  process.once('exit', (code) => {
    if (isLeft) return;
    say(
      `the process was ended before it was done (${code}): look for process.exit() in the modules and their tools`,
    );
    // What was asked for is not done.
    if (!holds && code === 0) process.exitCode = 1;
  });
  // That says itself what ended it.
  process.once('uncaughtExceptionMonitor', () => {
    isLeft = true;
  });
  let lost: NodeJS.ErrnoException | undefined;
  process.stdout.on('error', (error) => {
    lost = error;
  });

  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    // A tool that will not end must not keep the process.
    setTimeout(() => leave(0), patienceNow()).unref();
    try {
      // Who presses Ctrl+C does not want to wait; who stops one server of several does.
      if (signal === 'SIGTERM') await drained();
      await task.halt();
    } finally {
      leave(0);
    }
  };
  if (holds) for (const signal of END_SIGNALS) process.on(signal, end);

  task.then(
    (code) => {
      // Written through a pipe, output may still be on its way.
      if (!ending)
        process.stdout.write('', () => setImmediate(() => leave(lost ? unwritten(lost, code) : code)));
    },
    (error: unknown) => {
      if (ending) return;
      const message = error instanceof Error ? error.message : String(error);
      say(message, process.env.PARLEY_DEBUG ? error : undefined);
      leave(1);
    },
  );
}

/** The exit code of a command whose output did not arrive. Who reads a part of it, as `head` does, wants no more. */
function unwritten({ code, message }: NodeJS.ErrnoException, exitCode: number): number {
  if (code === 'EPIPE') return exitCode;
  say(`the output could not be written: ${message}`);
  return exitCode === 0 ? 1 : exitCode;
}
