/** What a worker for code runs: one sandbox after the other, the next one made while nobody waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { CodeMachine } from './code-machine.ts';
import type { CodeWorkerData, Input } from './messages.ts';

const { wasm, limits } = workerData as CodeWorkerData;
let next = CodeMachine.create(wasm, limits);
let current: CodeMachine | undefined;

await next;
parentPort?.postMessage('ready');

parentPort?.on('message', async (input: Input) => {
  if (input.kind === 'run') current = await next;
  const turn = current?.turn(input);
  parentPort?.postMessage(turn);
  if (turn?.state.kind === 'waits') return;
  current = undefined;
  next = CodeMachine.create(wasm, limits);
});
