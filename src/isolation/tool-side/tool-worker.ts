/** What a worker for tools runs: serves those that it is told to load. */
import { type MessagePort, workerData } from 'node:worker_threads';
import { run } from 'effection';
import { keepFromStdout } from '../../node/keep-from-stdout.ts';
import { LENT_TO_HOST } from '../../workspace/build/lent-modules.ts';
import { serveRealm } from './served-realm.ts';

const data = workerData as { port?: MessagePort; readonly printsToStderr?: boolean };
const { port } = data;
if (data.printsToStderr) keepFromStdout();
if (!port) throw new Error('a worker for tools is started with a port');
// Tools that look at what their worker was given find nothing to talk over.
delete data.port;

// What nearly every tool needs, while nothing is asked of this worker yet.
for (const name of ['parley-mcp', 'effection', 'zod']) void LENT_TO_HOST[name]?.();

await run(() =>
  serveRealm({
    send: (text) => port.postMessage(text),
    listen: (listener) => port.on('message', listener),
  }),
);
