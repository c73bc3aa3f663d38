import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nearFetch } from '#src/mcp/client/transport/http/near-fetch.ts';

const ANSWER = { jsonrpc: '2.0', id: 1, result: { said: 'Ünïcödé 🛫' } };
const NEWS = { jsonrpc: '2.0', method: 'notifications/message', params: {} };
const event = (message: object) => `event: message\ndata: ${JSON.stringify(message)}\n\n`;

const elsewhere: typeof fetch = async () => new Response('elsewhere');

/** A server on this machine; `post` sends to it. */
async function start(
  serve: (req: IncomingMessage, res: ServerResponse) => void,
  most?: number,
  host = '127.0.0.1',
) {
  const server = createServer(serve).listen(0, host);
  await once(server, 'listening');
  const near = nearFetch(elsewhere, most);
  onTestFinished(() => {
    near.end();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/mcp`;
  const post = (init: RequestInit = {}) => near.fetch(url, { method: 'POST', body: '{}', ...init });
  return { server, url, near, post };
}

/** Sends these parts, each in a turn of its own. */
async function send(res: ServerResponse, type: string, parts: readonly (string | Buffer)[]): Promise<void> {
  res.writeHead(200, { 'content-type': type });
  for (const part of parts) {
    res.write(part);
    await new Promise(setImmediate);
  }
  res.end();
}

describe('what is posted to a server on this machine', () => {
  it('comes there as it was sent, over one connection', async () => {
    const seen: unknown[] = [];
    const connections = new Set<unknown>();
    const { post } = await start(async (req, res) => {
      connections.add(req.socket);
      const { method, url, headers } = req;
      seen.push([method, url, headers['content-type'], headers['x-key'], headers['content-length']]);
      res.writeHead(200, { 'content-type': 'application/json' }).end(await text(req));
    });
    const headers = { 'Content-Type': 'application/json', 'X-Key': 'k' };
    const first = await post({ body: '{"a":"é"}', headers });
    expect([first.ok, first.status, await first.text()]).toEqual([true, 200, '{"a":"é"}']);
    expect(await (await post({ body: '[1]', headers: new Headers(headers) })).json()).toEqual([1]);
    expect(seen).toEqual([
      ['POST', '/mcp', 'application/json', 'k', '10'],
      ['POST', '/mcp', 'application/json', 'k', '3'],
    ]);
    expect(connections.size).toBe(1);
  });

  it('is nobody else’s: what is asked otherwise, or elsewhere, goes the way it always went', async () => {
    const { near, url } = await start((_req, res) => res.end());
    const asked = [
      near.fetch(url, { method: 'POST', body: new Uint8Array(1) }),
      near.fetch('http://example.test/mcp', { method: 'POST', body: '' }),
      near.fetch(url.replace('http:', 'https:'), { method: 'POST', body: '' }),
    ];
    for (const answer of await Promise.all(asked)) expect(await answer.text()).toBe('elsewhere');
  });

  it('may be a stream that is asked for, which is read as it comes, whatever comes first', async () => {
    const { near, url } = await start(async ({ method, headers }, res) => {
      expect([method, headers['content-length']]).toEqual(['GET', undefined]);
      res.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      await once(asked, 'now');
      res.end(event(ANSWER));
    });
    const asked = new EventEmitter();
    // It is there before anything has come on it.
    const answer = await near.fetch(new URL(url), { headers: { accept: 'text/event-stream' } });
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    asked.emit('now');
    expect(await answer.text()).toBe(event(ANSWER));
  });

  it('fails as with `fetch` where nobody listens', async () => {
    const { server, post } = await start(() => {});
    server.close();
    await once(server, 'close');
    const error = await post().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNREFUSED' } });
  });

  it('is given up with its signal, before it is sent, while it waits, and while its answer comes', async () => {
    const { post } = await start((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream' }).write(event(NEWS));
    });
    const reason = new Error('not wanted');
    await expect(post({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    const aborter = new AbortController();
    const { body } = await post({ signal: aborter.signal });
    const reader = body?.getReader();
    await reader?.read();
    aborter.abort(reason);
    await expect(reader?.read()).rejects.toThrow();

    const { post: postSilent, server } = await start(() => {});
    const silent = new AbortController();
    const waiting = postSilent({ signal: silent.signal });
    waiting.catch(() => {});
    await once(server, 'request');
    silent.abort(reason);
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('an answer of a server on this machine', () => {
  it.each<[string, readonly string[]]>([
    ['an event', [event(ANSWER)]],
    ['an event that (no name)', [`data: ${JSON.stringify(ANSWER)}\n\n`]],
    ['an event that comes in parts', [...event(ANSWER)]],
    ['behind a comment', [': hello\n\n', event(ANSWER)]],
  ])('that is one message is read whole, and called JSON: %s', async (_what, parts) => {
    const { post } = await start((_req, res) => void send(res, 'text/event-stream; charset=utf-8', parts));
    const answer = await post();
    expect([answer.headers.get('content-type'), answer.body]).toEqual(['application/json', null]);
    expect(await answer.json()).toEqual(ANSWER);
  });

  it('that is cut within a letter is read as it was', async () => {
    const bytes = Buffer.from(event(ANSWER));
    const parts = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
    const { post } = await start((_req, res) => void send(res, 'text/event-stream', parts));
    expect(await (await post()).json()).toEqual(ANSWER);
  });

  it.each<[string, string]>([
    ['with news before it', event(NEWS) + event(ANSWER)],
    ['with more behind it at once', event(ANSWER) + event(NEWS)],
    ['that is asked for again by an id', `id: 7\ndata:\n\n${event(ANSWER)}`],
    ['that says when to ask again', `retry: 100\n\n${event(ANSWER)}`],
    ['that is no message', 'data: {not json\n\n'],
    ['that is of another kind', `event: other\ndata: ${JSON.stringify(ANSWER)}\n\n`],
    ['without an event', ''],
  ])('%s is read as it comes', async (_what, sent) => {
    const { post } = await start((_req, res) => void send(res, 'text/event-stream', [sent]));
    const answer = await post();
    expect(answer.headers.get('content-type')).toBe('text/event-stream');
    expect(await answer.text()).toBe(sent);
  });

  it('that refuses says why', async () => {
    const { post, url } = await start((_req, res) => {
      res.writeHead(401, { 'www-authenticate': ['Basic', 'Bearer a="b"'], 'x-a': 'b' }).end('no');
    });
    const { ok, status, statusText, headers, url: at } = await post();
    expect([ok, status, statusText, at]).toEqual([false, 401, 'Unauthorized', url]);
    expect([headers.get('www-authenticate'), headers.get('x-a')]).toEqual(['Basic, Bearer a="b"', 'b']);
    expect(await (await post()).text()).toBe('no');
  });

  it('that sends on is not followed', async () => {
    const { post } = await start((_req, res) => res.writeHead(307, { location: '/moved' }).end());
    const { status, headers } = await post({ redirect: 'manual' });
    expect([status, headers.get('location')]).toEqual([307, '/moved']);
  });

  it('that may have no body has none, and one that is no answer is an error', async () => {
    const { near, url } = await start(({ method }, res) =>
      res.writeHead(method === 'DELETE' ? 204 : 999).end(),
    );
    const { status, body } = await near.fetch(url, { method: 'DELETE' });
    expect([status, body]).toEqual([204, null]);
    await expect(near.fetch(url, { method: 'POST', body: '' })).rejects.toThrow(RangeError);
  });

  it('that has no message is over', async () => {
    const { post } = await start((_req, res) => res.writeHead(202, { 'x-a': 'b' }).end());
    const { status, headers, ...answer } = await post();
    expect([status, headers.get('x-a'), headers.has('x-b')]).toEqual([202, 'b', false]);
    expect(answer).not.toHaveProperty('body.getReader');
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
  ] as const)('that was packed unasked is unpacked: %s', async (name, pack) => {
    const { post } = await start((_req, res) =>
      res
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': name })
        .end(pack(JSON.stringify(ANSWER))),
    );
    expect(await (await post()).json()).toEqual(ANSWER);
  });

  it.each(['application/json', 'text/event-stream'])('that is too long is broken off: %s', async (type) => {
    const closed = Promise.withResolvers<void>();
    const { post } = await start((_req, res) => {
      res.once('close', closed.resolve).writeHead(200, { 'content-type': type });
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(10_000)));
        res.once('drain', more);
      };
      more();
    }, 1024 ** 2);
    await expect(post()).rejects.toThrow('a message of more than 1 MB');
    await closed.promise;
  });

  it('that breaks off is an error that says so', async () => {
    for (const type of ['application/json', 'text/event-stream']) {
      const { post } = await start((_req, res) => {
        res.writeHead(200, { 'content-type': type }).write('data: {');
        setImmediate(() => res.destroy());
      });
      await expect(post()).rejects.toThrow('the server broke its answer off');
    }
  });

  it('whose stream does not end is let go of, with all that comes on it', async () => {
    const closed = Promise.withResolvers<void>();
    const { post } = await start((_req, res) => {
      res.once('close', closed.resolve).writeHead(200, { 'content-type': 'text/event-stream' });
      res.write(event(ANSWER));
      const more = () => {
        while (!res.destroyed && res.write('x'.repeat(10_000)));
        res.once('drain', more);
      };
      setImmediate(more);
    });
    expect(await (await post()).json()).toEqual(ANSWER);
    await closed.promise;
  });

  it('that begins with a mark of the byte order is read without it', async () => {
    const { post } = await start((_req, res) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(`\uFEFF${JSON.stringify(ANSWER)}`),
    );
    expect(await (await post()).json()).toEqual(ANSWER);
  });

  it.each([
    ['speaks no HTTP', 'hello'],
    ['says nothing', ''],
    ['wants to speak another protocol', 'HTTP/1.1 101 Other\r\nUpgrade: other\r\nConnection: Upgrade'],
  ])('of a server that %s is an error', async (_what, said) => {
    const serve = (socket: Socket) => socket.on('error', () => {}).end(`${said}\r\n\r\n`);
    const server = createPlainServer(serve).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const near = nearFetch(elsewhere);
    onTestFinished(() => {
      near.end();
      server.close();
    });
    const { port } = server.address() as AddressInfo;
    const asked = near.fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' });
    await expect(asked).rejects.toThrow('fetch failed');
  });
});
