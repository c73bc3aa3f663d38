import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createHttpServer } from '#src/mcp/http/http-server.ts';

const TIME = 200;

let server: Server | undefined;
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  server?.close();
  server?.closeAllConnections();
});

/** A server with little patience, and a way to open a connection whose beginning it has read. */
async function start() {
  const times = { headersTimeout: TIME, keepAliveTimeout: TIME, connectionsCheckingInterval: TIME / 4 };
  const accepted: Socket[] = [];
  const one = createHttpServer((_req, res) => void res.end('read'), undefined, times);
  server = one;
  one.on('connection', (socket: Socket) => accepted.push(socket));
  one.listen(0, '127.0.0.1');
  await once(one, 'listening');
  return async (beginning: string) => {
    const socket = connect((one.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.write(beginning);
    await vi.waitFor(() => expect(accepted.at(-1)?.bytesRead).toBe(beginning.length));
    return socket;
  };
}

const statusOn = async (socket: Socket) => String((await once(socket, 'data'))[0]).split('\r\n', 1)[0];

/** Nothing of this process goes on meanwhile, timers included. */
const holdUp = (milliseconds: number) =>
  void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const head = 'GET / HTTP/1.1\r\nHost: localhost\r\n';

describe('a server that was held up', () => {
  it('answers what came meanwhile, though it is late', async () => {
    const open = await start();
    const begun = await open(head);
    const idle = await open(`${head}\r\n`);
    expect(await statusOn(idle)).toBe('HTTP/1.1 200 OK');
    const answers = [idle, begun].map(statusOn);
    // From here on timers come before what is read.
    await new Promise((go) => setImmediate(go));
    idle.write(`${head}\r\n`);
    begun.write('\r\n');
    // Node waits a second longer for a connection that idles than it was told to.
    holdUp(TIME + 1_500);
    expect(await Promise.all(answers)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  });
});

describe('a connection whose headers do not come', () => {
  it('is closed after the time for them, though its peer neither reads nor closes', async () => {
    const open = await start();
    const socket = await open(head);
    expect(await statusOn(socket)).toBe('HTTP/1.1 408 Request Timeout');
    await once(socket, 'close');
  });
});
