import * as fc from 'fast-check';

const methods = [
  'GET',
  'POST',
  'DELETE',
  'OPTIONS',
  'HEAD',
  'PUT',
  'TRACE',
  'CONNECT',
  'PRI',
  'QUERY',
  'get',
  '',
];

const targets = [
  '/mcp',
  '/mcp?x=1',
  '/mcp#x',
  '/mcp/',
  '/mcp/../mcp',
  '/',
  '//',
  '///',
  '/\\',
  '\\\\',
  '//[',
  '//:',
  '//\\',
  'http://[',
  'http://:99999/',
  'http://',
  'http:///mcp',
  'http://localhost/mcp',
  'ftp://x',
  'localhost:1',
  '*',
  '',
  '?',
  '#',
  '/%',
  '/%00',
  '/%ff',
  '/\u00ff',
  'mcp',
  'javascript:0',
  `/${'x'.repeat(20_000)}`,
];

const versions = ['HTTP/1.1', 'HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1 ', 'http/1.1', ''];

const names = [
  'host',
  'origin',
  'authorization',
  'accept',
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'upgrade',
  'expect',
  'te',
  'trailer',
  'keep-alive',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'last-event-id',
  'cookie',
  '__proto__',
  'constructor',
  'x',
  ':authority',
  '',
];

const values = [
  'application/json',
  'application/json, text/event-stream',
  'text/event-stream',
  '*/*',
  '0',
  '1',
  '-1',
  '99999999999',
  '1e3',
  'chunked',
  'chunked, chunked',
  'identity',
  'gzip',
  'close',
  'keep-alive',
  'upgrade',
  'websocket',
  'h2c',
  '100-continue',
  '200-ok',
  '2025-11-25',
  '2026-07-28',
  'tools/call',
  'tools/list',
  'initialize',
  '=?base64?!?=',
  '0-0',
  '1-999999999999',
  'null',
  'http://[',
  'localhost',
  '127.0.0.1:0',
  '[::1',
  'localhost:99999',
  '',
  'x'.repeat(9_000),
];

const bodies = [
  '',
  '{}',
  '[]',
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"raw","version":"1"}}}',
  '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}',
  '0\r\n\r\n',
  '5\r\nhello\r\n0\r\n\r\n',
  'ffffffffffffffff\r\n',
  '5;x=y\r\nhello\r\n0\r\nx: y\r\n\r\n',
];

/** Bytes that begin like a request, more or less. `known` are headers that let a request in. */
export function requestBytes(known: Readonly<Record<string, string>>): fc.Arbitrary<Uint8Array> {
  const noise = fc.string({ unit: 'binary', maxLength: 30 });
  /** Mostly what is usual, so that one thing that is not gets far. */
  const some = (list: readonly string[], usual: readonly string[], weight = 12) =>
    fc.oneof(
      { weight, arbitrary: fc.constantFrom(...usual) },
      { weight: 6, arbitrary: fc.constantFrom(...list) },
      { weight: 1, arbitrary: noise },
    );
  const header = fc.tuple(
    fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...names) }, { weight: 1, arbitrary: noise }),
    fc.oneof({ weight: 20, arbitrary: fc.constantFrom(...values) }, { weight: 1, arbitrary: noise }),
  );
  const json = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const request = fc
    .record({
      method: some(methods, ['POST', 'GET']),
      target: some(targets, ['/mcp']),
      version: some(versions, ['HTTP/1.1'], 60),
      first: fc.constantFrom(known, { ...known, ...json }, { ...known, ...json }, {}),
      headers: fc.oneof(fc.constant([]), fc.array(header, { maxLength: 3 })),
      eol: some(['\n', '\r', '\r\r\n', ''], ['\r\n'], 100),
      body: some(bodies, bodies),
      sized: fc.integer({ min: 0, max: 9 }).map((luck) => luck > 0),
    })
    .map(({ method, target, version, first, headers: more, eol, body, sized }) => {
      const all = [
        ...Object.entries(first),
        ...more,
        ...(sized ? [['content-length', String(body.length)]] : []),
      ];
      const lines = [`${method} ${target} ${version}`, ...all.map(([name, value]) => `${name}: ${value}`)];
      return `${lines.join(eol)}${eol}${eol}${body}`;
    });
  const bytes = fc.oneof(
    { weight: 12, arbitrary: request },
    { weight: 2, arbitrary: fc.tuple(request, request).map((two) => two.join('')) },
    { weight: 2, arbitrary: fc.tuple(request, fc.nat(200)).map(([text, cut]) => text.slice(0, cut)) },
    { weight: 1, arbitrary: noise },
    { weight: 1, arbitrary: fc.constant('\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03') },
  );
  return bytes.map((text) => Buffer.from(text, 'latin1'));
}
