#!/usr/bin/env node
import { isMainThread } from 'node:worker_threads';
import { tooOldNode } from './node-version.ts';
import { runHere } from './serving/run-here.ts';
import { hearSignals, runInThread } from './serving/run-in-thread.ts';
import { takeSecrets } from './serving/taken-secrets.ts';

const argv = process.argv.slice(2);

const examines = argv[0] === 'doctor' && argv.some((arg) => /^--server(=|$)/.test(arg));

const tooOld = tooOldNode(process.versions.node);

// A server hears signals even while a tool keeps its thread busy.
if (tooOld) {
  process.stderr.write(`parley-mcp: ${tooOld}\n`);
  process.exitCode = 1;
} else if (isMainThread && !examines && (argv[0] === 'doctor' || argv.includes('serve'))) {
  runInThread(new URL(import.meta.url), argv);
  // The thread has a copy of its own, which it takes them out of.
  takeSecrets();
} else {
  hearSignals();
  runHere(argv, examines || !isMainThread);
}
