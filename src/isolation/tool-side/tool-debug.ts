/** What the process for debugging a tool runs: serves the tools that it is told to load, and ends with the line. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { run } from 'effection';
import { takeDebugEnvironment } from '../transport/debug-environment.ts';
import { lineOver } from '../transport/socket-line.ts';
import { serveRealm } from './served-realm.ts';

const { port, token } = takeDebugEnvironment();
const socket = connect(port, '127.0.0.1');
await once(socket, 'connect');
const line = lineOver(socket);
line.send(token);
void line.ended.then(() => process.exit());
await run(() => serveRealm(line));
