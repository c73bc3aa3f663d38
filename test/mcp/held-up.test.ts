import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openSocket } from '../attack/kit/raw.ts';
import { root, serveHttp } from './kit/parley-serve.ts';
import { ask } from './kit/wire.ts';

const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

/** Longer than any limit on the headers, the body and the idle time of a connection. */
const HELD = 34_000;

it('a server that was held up answers what came meanwhile, though it is late', { tags: 'long' }, async () => {
  const tool = join(root, 'test/mcp/kit/holding-tool.ts');
  const server = await serveHttp([tool], '--no-token', '--isolation', 'host');
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } },
  });
  const rest = `Accept: application/json, text/event-stream\r\nContent-Length: ${body.length}\r\n\r\n`;
  const whole = `${head}${rest}${body}`;
  const sockets = await Promise.all(Array.from({ length: 3 }, () => openSocket(Number(server.url.port))));
  const [headers, bodies, idle] = sockets;
  if (!headers || !bodies || !idle) throw new Error('there are three');
  try {
    headers.write(head);
    bodies.write(head + rest + body.slice(0, 10));
    idle.write(whole);
    const [first] = (await once(idle, 'data')) as [Buffer];
    expect(first.toString()).toMatch(/^HTTP\/1\.1 200/);
    const answers = sockets.map(async (socket) => {
      const data = once(socket, 'data').then(([chunk]) => String(chunk));
      const answer = await Promise.race([data, once(socket, 'close').then(() => 'closed')]);
      return answer.split('\r\n', 1)[0];
    });
    const held = ask(server.url, 'tools/call', { name: 'hold', arguments: { milliseconds: HELD } });
    await vi.waitFor(() => expect(server.stderr()).toContain('holding'), { timeout: 10_000 });
    headers.write(rest + body);
    bodies.write(body.slice(10));
    idle.write(whole);
    expect((await held).result).toMatchObject({ content: [{ text: 'held' }] });
    expect(await Promise.all(answers)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 200 OK', 'HTTP/1.1 200 OK']);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.stop('SIGKILL');
  }
});
