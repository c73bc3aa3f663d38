import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { RealmEnd, RealmLink } from './link.ts';

/** A worker's heap: plenty for a tool, and too little to take the machine down. */
const HEAP_MB = 1024;

/**
 * Starts a worker that serves tools. It talks over a port of its own, so that tools that post to their parent are not
 * taken for it.
 *
 * @param entry the module that serves: `dist/tool-worker.js`
 */
export function launchWorker(entry: string | URL, name: string, printsToStderr = false): RealmLink {
  const { port1: port, port2: theirs } = new MessageChannel();
  const worker = new Worker(entry, {
    name,
    workerData: { port: theirs, printsToStderr },
    transferList: [theirs],
    // What the editor's own process was started with is not for tools.
    execArgv: [],
    stdout: printsToStderr,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  });
  if (printsToStderr) worker.stdout.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const { promise: ended, resolve } = Promise.withResolvers<RealmEnd>();
  let terminated = false;
  let listener: ((text: unknown) => void) | undefined;
  // What it sent before it ended comes before its end: a file that ends its worker is known by its last message.
  const drain = () => {
    for (let last = receiveMessageOnPort(port); last; last = receiveMessageOnPort(port)) {
      listener?.(last.message);
    }
  };
  worker.once('error', (error) => {
    drain();
    resolve({ kind: 'threw', error });
  });
  worker.once('exit', (code) => {
    drain();
    resolve(terminated ? { kind: 'terminated' } : { kind: 'exited', code });
    port.close();
  });
  // A worker is no reason for a process to live on.
  worker.unref();
  return {
    ended,
    send: (text) => port.postMessage(text),
    listen(given) {
      listener = given;
      port.on('message', given);
      port.unref();
    },
    async terminate() {
      terminated = true;
      await worker.terminate();
    },
  };
}
