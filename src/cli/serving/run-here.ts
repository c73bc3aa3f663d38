import { createScope, until } from 'effection';
import { say } from '../terminal-text.ts';
import { logsJson, makeLogJson } from './json-log.ts';
import { drained, patienceNow } from './patience.ts';
import { END_SIGNALS } from './signals.ts';

/** Runs a command line in this thread, and ends it with the exit code. */
export function runHere(argv: readonly string[]): void {
  if (logsJson(argv)) makeLogJson(process.stderr);
  const [scope] = createScope();
  const loading = import('../run.ts');
  const task = scope.run(function* () {
    const { runCommand } = yield* until(loading);
    return yield* runCommand(argv, process.cwd());
  });

  let ending = false;
  const end = async (signal: NodeJS.Signals) => {
    if (ending) return;
    ending = true;
    // A tool that will not end must not keep the process.
    setTimeout(() => process.exit(0), patienceNow()).unref();
    try {
      // Who presses Ctrl+C does not want to wait; who stops one server of several does.
      if (signal === 'SIGTERM') await drained();
      await task.halt();
    } finally {
      process.exit(0);
    }
  };
  for (const signal of END_SIGNALS) process.on(signal, end);

  task.then(
    (code) => {
      // Written through a pipe, output may still be on its way.
      if (!ending) process.stdout.write('', () => process.exit(code));
    },
    (error: unknown) => {
      if (ending) return;
      const message = error instanceof Error ? error.message : String(error);
      say(message, process.env.PARLEY_DEBUG ? error : undefined);
      process.exit(1);
    },
  );
}
