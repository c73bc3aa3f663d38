#!/usr/bin/env node
import { createScope } from 'effection';
import { runCommand } from './run.ts';

/** How long cleanup may take after a signal, milliseconds. */
const PATIENCE = 5_000;

const [scope] = createScope();
const task = scope.run(() => runCommand(process.argv.slice(2), process.cwd()));

let ending = false;
const end = () => {
  if (ending) return;
  ending = true;
  // A tool that will not end must not keep the process.
  setTimeout(() => process.exit(0), PATIENCE).unref();
  task.halt().then(
    () => process.exit(0),
    () => process.exit(0),
  );
};
process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);

task.then(
  (code) => {
    // Written through a pipe, output may still be on its way.
    if (!ending) process.stdout.write('', () => process.exit(code));
  },
  (error: unknown) => {
    if (ending) return;
    console.error(error instanceof Error ? `parley: ${error.message}` : error);
    if (process.env.PARLEY_DEBUG) console.error(error);
    process.exit(1);
  },
);
