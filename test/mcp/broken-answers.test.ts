import { EventEmitter, once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { spawn, until } from 'effection';
import { describe, expect, it } from 'vitest';
import { listening } from '#test/listening.ts';
import { textOf, withServer } from './kit/foreign.ts';
import { outcome } from './kit/outcome.ts';

interface Message {
  readonly id?: number | string;
  readonly method: string;
  readonly params?: { readonly name?: string };
}

const NEWS = { jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'news' } };

/** How a server may end its part without an answer. */
const breaks: Readonly<Record<string, (res: ServerResponse) => void>> = {
  'breaks the connection': (res) => res.destroy(),
  'says that there is nothing at its address': (res) => res.writeHead(404).end('nothing'),
  'breaks an answer off': (res) => {
    res.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 });
    res.write('{"json', () => res.destroy());
  },
  'ends the stream of the answer': (res) => streamed(res).end(': nothing\n\n'),
  'ends it behind some news': (res) => streamed(res).end(`data: ${JSON.stringify(NEWS)}\n\n`),
  'breaks it off behind some news': (res) =>
    void streamed(res).write(`data: ${JSON.stringify(NEWS)}\n\n`, () => res.destroy()),
  'breaks off one that could be gone on with, and does not go on': (res) =>
    void streamed(res).write('retry: 1\nid: 1\ndata:\n\n', () => res.destroy()),
};

function streamed(res: ServerResponse): ServerResponse {
  return res.writeHead(200, { 'content-type': 'text/event-stream' });
}

/** A server of one era: `bad` breaks, `wait` answers as soon as somebody calls `go`. */
async function start(era: '2025' | '2026', bad: (res: ServerResponse) => void) {
  const calls = new EventEmitter();
  const every = era === '2026' ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
  const said = (text: string) => ({ content: [{ type: 'text', text }] });
  const server = createServer(async (req, res) => {
    if (req.method !== 'POST') return res.writeHead(405).end();
    const { id, method, params } = (await json(req)) as Message;
    if (id === undefined) return res.writeHead(202).end();
    const send = (more: object) => {
      res.writeHead(200, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ jsonrpc: '2.0', id, ...more }));
    };
    const answer = (result: object) => send({ result: { ...every, ...result } });
    const self = { capabilities: { tools: {} }, serverInfo: { name: 'odd', version: '1.0.0' } };
    if (method === 'server/discover' && era === '2026')
      return answer({ supportedVersions: ['2026-07-28'], ...self });
    if (method === 'initialize') return answer({ protocolVersion: '2025-11-25', ...self });
    if (method === 'ping') return answer({});
    if (method === 'tools/list') {
      const inputSchema = { type: 'object' };
      return answer({ tools: ['wait', 'bad', 'go'].map((name) => ({ name, inputSchema })) });
    }
    if (method !== 'tools/call') return send({ error: { code: -32601, message: 'Method not found' } });
    if (params?.name === 'bad') return bad(res);
    if (params?.name === 'wait') calls.once('go', () => answer(said('waited')));
    else answer(said('gone on'));
    calls.emit(String(params?.name));
  });
  const port = await listening(server);
  const entry = { kind: 'http', name: 'odd', url: `http://127.0.0.1:${port}/mcp`, headers: {} } as const;
  return { entry, calls };
}

describe.each(['2025', '2026'] as const)('a server of %s at an address', (era) => {
  it.each(Object.entries(breaks))('that %s fails that call, and no other that waits', async (_, bad) => {
    const { entry, calls } = await start(era, bad);
    await withServer(entry, function* ({ call }) {
      const arrived = once(calls, 'wait');
      const waiting = yield* spawn(() => call('wait'));
      yield* until(arrived);
      expect(yield* outcome(call('bad'))).toBeInstanceOf(Error);
      expect(textOf(yield* call('go'))).toBe('gone on');
      expect(textOf(yield* waiting)).toBe('waited');
    });
  });
});
