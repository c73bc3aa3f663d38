import type { Socket } from 'node:net';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { startServer } from '../mcp/kit/in-process.ts';
import { testTools } from '../mcp/kit/tools.ts';
import { openSession } from '../mcp/kit/wire.ts';
import { openSocket } from './kit/raw.ts';
import { figures } from './kit/scale.ts';

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

const tokens = [{ token: 'token-of-ada', principal: { name: 'ada' } }];
const authorization = 'Bearer token-of-ada';

async function start() {
  const { url, connections } = await startServer({ tools: testTools().tools }, { tokens });
  return { url, connections, port: Number(url.port) };
}

describe('sockets that never say who they are', () => {
  it('give way to each other, and nobody who has a token notices', async () => {
    const { url, port, connections } = await start();
    const session = await openSession(url, {}, { authorization });
    const stream = await session.get();
    const silent = 2_100;
    for (let opened = 0; opened < silent; opened += 100) {
      sockets.push(...(await Promise.all(Array.from({ length: 100 }, () => openSocket(port)))));
    }
    const began = performance.now();
    const echo = await session.request(1, 'tools/call', { name: 'echo', arguments: { text: 'alive' } });
    expect((await echo.rest()).at(-1)?.result.content[0].text).toBe('alive');
    await openSession(url, {}, { authorization });
    const took = Math.round(performance.now() - began);
    // And the few of the client with the token.
    await vi.waitFor(async () => expect(await connections()).toBeLessThanOrEqual(256 + 10), {
      timeout: 30_000,
    });
    const left = await connections();
    figures('silent sockets', { opened: silent, left, 'a call and a new session, ms': took });
    stream.drop();
  }, 300_000);

  it('are no crowd of clients who come at one moment: each of those is answered', async () => {
    const { port } = await start();
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const head = `POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
    const answers = Array.from({ length: 1_000 }, async () => {
      const socket = await openSocket(port);
      sockets.push(socket);
      const answered = new Promise<string>((resolve, reject) => {
        socket.once('data', (chunk: Buffer) => resolve(chunk.toString('latin1')));
        socket.once('close', () => reject(new Error('closed without an answer')));
      });
      socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
      return await answered;
    });
    for (const answer of await Promise.all(answers)) expect(answer).toMatch(/^HTTP\/1\.1 \d{3}/);
  }, 120_000);

  it('are closed after the time for headers, though they neither read nor close', {
    timeout: 60_000,
    tags: 'long',
  }, async () => {
    const { port, connections } = await start();
    const socket = await openSocket(port);
    sockets.push(socket);
    socket.write('GET /mcp HTTP/1.1\r\nHost: ');
    await vi.waitFor(async () => expect(await connections()).toBe(1));
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 30_000, interval: 200 });
  });
});

describe('a request that is refused', () => {
  const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
  it.each([
    ['without a token', `${head}Content-Length: 2\r\n\r\n{}`],
    ['that is no HTTP', 'nonsense\r\n\r\n'],
    ['whose body never comes', `${head}Content-Length: 99999999999\r\n\r\n{`],
  ])('%s takes its connection along, though its peer keeps it open', async (_what, bytes) => {
    const { port, connections } = await start();
    const socket = await openSocket(port);
    sockets.push(socket);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket.write(bytes);
    await vi.waitFor(() => expect(text).toMatch(/^HTTP\/1\.1 40[01]/), { timeout: 10_000 });
    await vi.waitFor(async () => expect(await connections()).toBe(0), { timeout: 10_000 });
  });
});
