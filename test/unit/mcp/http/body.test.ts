import { createServer, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { type Body, readJson } from '#src/mcp/http/body.ts';
import { listening } from '#test/listening.ts';

/** Reads the body of the next request to a server. */
async function server(limits = { maxBody: 100, bodyTimeout: 10_000 }) {
  let seen: (body: Body) => void;
  const body = new Promise<Body>((resolve) => {
    seen = resolve;
  });
  const http = createServer((req: IncomingMessage, res) => {
    readJson(req, limits).then((read) => {
      seen(read);
      res.writeHead(read.ok ? 200 : read.status, { connection: 'close' }).end();
    });
  });
  return { port: await listening(http), body };
}

function post(port: number, chunks: readonly (string | Buffer)[], headers: Record<string, string> = {}) {
  const req = request({
    port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  });
  req.on('error', () => {});
  for (const chunk of chunks) req.write(chunk);
  return req;
}

it('reads JSON that comes in pieces, cut anywhere', async () => {
  const { port, body } = await server();
  const bytes = Buffer.from('{"text":"héllo"}');
  post(port, [bytes.subarray(0, 10), bytes.subarray(10)]).end();
  expect(await body).toEqual({ ok: true, value: { text: 'héllo' } });
});

it.each([['{'], [''], [Buffer.from([0x22, 0xff, 0x22])], ['{"a":1}{"b":2}']])(
  'refuses what is no JSON: %s',
  async (text) => {
    const { port, body } = await server();
    post(port, [text]).end();
    expect(await body).toMatchObject({ ok: false, status: 400, code: -32700 });
  },
);

it('refuses what is small as text and costly to check, before it is parsed', async () => {
  const { port, body } = await server({ maxBody: 100_000, bodyTimeout: 10_000 });
  post(port, [`[${'[],'.repeat(30_000)}1]`]).end();
  expect(await body).toMatchObject({ ok: false, status: 400, code: -32602 });
});

it('refuses other content before it reads it', async () => {
  const { port, body } = await server();
  post(port, ['{}'], { 'content-type': 'text/plain' }).end();
  expect(await body).toMatchObject({ ok: false, status: 415 });
});

it('reads no further than the limit, whether the length is declared or not', async () => {
  const declared = await server();
  post(declared.port, ['x'.repeat(101)], { 'content-length': '101' }).end();
  expect(await declared.body).toMatchObject({ ok: false, status: 413 });
  const streamed = await server();
  post(streamed.port, ['[', ' '.repeat(60), ' '.repeat(60)]);
  expect(await streamed.body).toMatchObject({ ok: false, status: 413 });
});

it('gives up on a body that does not come', async () => {
  const { port, body } = await server({ maxBody: 100, bodyTimeout: 20 });
  post(port, ['{']);
  expect(await body).toMatchObject({ ok: false, status: 408 });
});

it('gives up on a body that breaks off', async () => {
  const { port, body } = await server();
  const socket = connect(port, '127.0.0.1', () => {
    socket.write(
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n{"a"',
      () => socket.destroy(),
    );
  });
  expect(await body).toMatchObject({ ok: false, status: 400 });
});
