import { getEventListeners } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundedFetch } from '#src/mcp/http/bounded-fetch.ts';

const MOST = 1_000;

/** Reads an answer that comes in these chunks. */
async function read(contentType: string, chunks: Iterable<string>): Promise<string> {
  const parts = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const { done, value } = parts.next();
      if (done) controller.close();
      else controller.enqueue(new TextEncoder().encode(value));
    },
  });
  const fetch = boundedFetch(
    MOST,
    async () => new Response(body, { headers: { 'content-type': contentType } }),
  );
  return await (await fetch('http://server/')).text();
}

const times = (count: number, ...chunks: readonly string[]) =>
  Array.from({ length: count }, () => chunks).flat();

describe('the answer of a server over HTTP', () => {
  it('is read as it is within the bounds, with what it says of itself', async () => {
    expect(await read('application/json', ['{"a":', '1}'])).toBe('{"a":1}');
    const fetch = boundedFetch(MOST, async () => Response.json({}, { status: 404, headers: { 'x-a': 'b' } }));
    const answer = await fetch('http://server/');
    expect([answer.status, answer.headers.get('x-a'), await answer.json()]).toEqual([404, 'b', {}]);
    const empty = new Response(null, { status: 202 });
    expect(await boundedFetch(MOST, async () => empty)('http://server/')).toBe(empty);
  });

  it('is broken off where one message is longer', async () => {
    const tooLong = /a message of more than/;
    await expect(read('application/json', times(11, 'x'.repeat(100)))).rejects.toThrow(tooLong);
    await expect(read('text/event-stream', times(11, 'x'.repeat(100)))).rejects.toThrow(tooLong);
    await expect(read('text/event-stream', ['data: 1\n\n', ...times(11, 'x'.repeat(100))])).rejects.toThrow(
      tooLong,
    );
    await expect(read('text/event-stream', times(400, 'x\n', 'y\r\n'))).rejects.toThrow(tooLong);
  });

  it('leaves nothing on the signal of its connection, and ends with it', async () => {
    const held: (() => void)[] = [];
    const server = createHttpServer(({ url }, res) => {
      const type = url === '/json' ? 'application/json' : 'text/event-stream';
      const body = url === '/json' ? '{"a":1}' : 'data: 1\n\n';
      if (url === '/none') return res.writeHead(202).end();
      res.writeHead(200, {
        'content-type': type,
        ...(url === '/json' ? { 'content-length': body.length } : {}),
      });
      if (url === '/open') held.push(() => res.end());
      else res.write(body, () => res.end());
      return res.flushHeaders();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    onTestFinished(() => {
      for (const end of held) end();
      server.closeAllConnections();
      server.close();
    });
    const at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const connection = new AbortController();
    const { signal } = connection;
    const fetch = boundedFetch(MOST);
    for (let call = 0; call < 20; call++) {
      expect(await (await fetch(`${at}/json`, { signal })).json()).toEqual({ a: 1 });
      expect(await (await fetch(`${at}/events`, { signal })).text()).toBe('data: 1\n\n');
      expect(await (await fetch(`${at}/none`, { signal })).text()).toBe('');
      await (await fetch(`${at}/open`, { signal })).body?.cancel();
      await expect(fetch('http://127.0.0.1:1/', { signal })).rejects.toThrow('fetch failed');
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);

    const open = await fetch(`${at}/open`, { signal });
    const reading = open.text();
    connection.abort(new Error('closed'));
    await expect(reading).rejects.toThrow('closed');
    await expect(fetch(`${at}/json`, { signal })).rejects.toThrow('closed');
  });

  it('is no longer than it says, and is measured where it is packed', async () => {
    const long = JSON.stringify('x'.repeat(2 * MOST));
    const reads = async (...[headers, body]: readonly [object, string | Buffer]) => {
      const server = createServer((socket) => {
        const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
        socket.on('error', () => {});
        socket.once('data', () => {
          socket.write(['HTTP/1.1 200 OK', 'content-type: application/json', ...lines, '', ''].join('\r\n'));
          socket.end(body);
        });
      });
      await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      return await (await boundedFetch(MOST)(`http://127.0.0.1:${port}/`)).text();
    };
    expect((await reads({ 'content-length': 10 }, long)).length).toBeLessThanOrEqual(10);
    await expect(reads({ 'content-length': long.length }, long)).rejects.toThrow(/a message of more than/);
    const packed = gzipSync(long);
    expect(packed.length).toBeLessThan(MOST);
    const says = { 'content-length': packed.length, 'content-encoding': 'gzip' };
    await expect(reads(says, packed)).rejects.toThrow(/a message of more than/);
  });

  it.each([
    ['in one chunk', ['data: 1\n\n']],
    ['at the end of a chunk', ['data: 1\n', '\n']],
    ['between two chunks, with CRLF', ['data: 1\r', '\n\r', '\n']],
    ['byte by byte', [...'data: 1\r\n\r\n']],
    ['with CR alone', ['data: 1\r\r']],
  ])('may hold any number of events that end %s', async (_, event) => {
    const all = times(1_000, ...event);
    expect(await read('text/event-stream', all)).toBe(all.join(''));
  });

  it('is not read ahead: what nobody takes stays with the server', async () => {
    let made = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        made += 1;
        controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
      },
    });
    const answer = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const { body: bounded } = await boundedFetch(MOST, async () => answer)('http://server/');
    const reader = bounded?.getReader();
    await reader?.read();
    await reader?.cancel();
    expect(made).toBeLessThan(10);
  });
});
