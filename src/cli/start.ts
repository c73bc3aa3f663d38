import { isMainThread } from 'node:worker_threads';
import { runHere } from './serving/run-here.ts';
import { hearSignals, runInThread } from './serving/run-in-thread.ts';
import { takeSecrets } from './serving/taken-secrets.ts';

/** Starts what a command line says. `entry` is the module that threads of it run. */
export function startCommand(entry: URL, argv: readonly string[]): void {
  const examines = argv[0] === 'doctor' && argv.some((arg) => /^--server(=|$)/.test(arg));
  if (argv.length === 0 && !process.stdin.isTTY) {
    runHere(argv, true, async () => (await import('./alone.ts')).serveAlone);
  } else if (
    isMainThread &&
    !examines &&
    (argv[0] === 'doctor' || argv[0] === 'dev' || argv.includes('serve')) &&
    !argv.some((arg) => /^(-h|--help)$/.test(arg))
  ) {
    // A server hears signals even while a tool keeps its thread busy.
    runInThread(entry, argv);
    // The thread has a copy of its own, which it takes them out of.
    takeSecrets();
  } else {
    hearSignals();
    runHere(argv, examines || !isMainThread, async () => {
      const { runCommand } = await import('./run.ts');
      return () => runCommand(argv, process.cwd());
    });
  }
}
