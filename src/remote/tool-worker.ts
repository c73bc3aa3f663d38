/** What a worker for tools runs: serves those that it is told to load. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { run } from 'effection';
import { serveRealm } from './realm/served-realm.ts';

const { port } = workerData as { readonly port: MessagePort };

await run(() =>
  serveRealm({
    send: (text) => port.postMessage(text),
    listen: (listener) => port.on('message', listener),
  }),
);
