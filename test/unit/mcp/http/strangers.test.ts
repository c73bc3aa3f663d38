import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { admit, limitStrangers } from '#src/mcp/http/strangers.ts';

/** All room, and how many of those who are not let in yet there may be. */
const ROOM = 32;
const STRANGERS = 4;

/** A server that lets in whom `judged` says yes of. */
async function start(judged: (req: IncomingMessage) => Promise<boolean> = async () => true) {
  const server: Server = createServer(async (req: IncomingMessage, res: ServerResponse) => {
    if (await judged(req)) admit(req.socket);
    res.end('welcome');
  });
  server.maxConnections = ROOM;
  limitStrangers(server, STRANGERS);
  const accepted: Socket[] = [];
  server.on('connection', (socket: Socket) => accepted.push(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('error', () => {});
    onTestFinished(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  /** Opens so many, one after the other, each of which says this. */
  const crowd = async (count: number, says = '') => {
    for (let at = 0; at < count; at++) {
      const socket = await open();
      if (says) socket.write(says);
    }
  };
  return { server, accepted, open, crowd };
}

/** What the server answers; fails where it closes the connection instead. */
async function answerOn(socket: Socket): Promise<string> {
  return await new Promise((resolve, reject) => {
    socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1')));
    socket.once('close', () => reject(new Error('closed without an answer')));
  });
}

const head = 'GET / HTTP/1.1\r\nHost: localhost\r\n';
const welcome = /^HTTP\/1\.1 200 /;

describe('where more connections come than there is room for', () => {
  it('one whose request is being read keeps its place, and silent ones give way', async () => {
    const { accepted, open, crowd } = await start();
    const honest = await open();
    const answer = answerOn(honest);
    honest.write(head);
    await vi.waitFor(() => expect(accepted[0]?.bytesRead).toBeGreaterThan(0));
    await crowd(2 * ROOM);
    honest.write('\r\n');
    expect(await answer).toMatch(welcome);
  });

  it('one whose request is being looked at keeps its place', async () => {
    const gate = Promise.withResolvers<void>();
    const came = Promise.withResolvers<void>();
    const { open, crowd } = await start(async () => {
      came.resolve();
      await gate.promise;
      return true;
    });
    const honest = await open();
    const answer = answerOn(honest);
    honest.write(`${head}\r\n`);
    await came.promise;
    await crowd(2 * ROOM);
    gate.resolve();
    expect(await answer).toMatch(welcome);
  });

  it.each([
    ['begin a request and go no further', head],
    ['send a request that takes for ever to look at', `${head}X-Slow: yes\r\n\r\n`],
    ['were answered, and were not let in', `${head}X-Slow: no\r\n\r\n`],
  ])('those who %s make room, too', async (_what, says) => {
    const never = new Promise<boolean>(() => {});
    const { server, open, crowd } = await start(async ({ headers }) =>
      headers['x-slow'] === undefined ? true : headers['x-slow'] === 'yes' ? await never : false,
    );
    await crowd(2 * ROOM, says);
    const honest = await open();
    const answer = answerOn(honest);
    honest.write(`${head}\r\n`);
    expect(await answer).toMatch(welcome);
    const count = Promise.withResolvers<number>();
    server.getConnections((error, found) => (error ? count.reject(error) : count.resolve(found)));
    expect(await count.promise).toBeLessThanOrEqual(ROOM);
  });

  it('a crowd that comes at one moment and speaks is answered, each of them', async () => {
    const { open } = await start();
    const answers = Array.from({ length: 28 }, async () => {
      const socket = await open();
      const answer = answerOn(socket);
      socket.write(`${head}\r\n`);
      return await answer;
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(welcome);
  });
});

describe('more strangers than there may be, while there is room', () => {
  it('are weeded after a moment: those who say nothing, and not one who is being looked at', async () => {
    const gate = Promise.withResolvers<boolean>();
    const { server, open, crowd } = await start(() => gate.promise);
    const honest = await open();
    const answer = answerOn(honest);
    honest.write(`${head}\r\n`);
    await crowd(STRANGERS + 4);
    await vi.waitFor(
      () =>
        new Promise<void>((done, fail) =>
          server.getConnections((_error, count) =>
            count === STRANGERS ? done() : fail(new Error(`${count}`)),
          ),
        ),
      { timeout: 30_000, interval: 100 },
    );
    gate.resolve(true);
    expect(await answer).toMatch(welcome);
  });
});
