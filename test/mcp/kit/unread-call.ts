import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { envelope, type Message } from './wire.ts';

/** Calls a tool (2026 unless headers of a session are given) on a connection of its own, of which nothing is read yet. */
export async function callUnread(
  url: URL,
  name: string,
  { headers = {}, session }: { headers?: Record<string, string>; session?: Record<string, string> } = {},
): Promise<Socket> {
  const _meta = session ? {} : envelope({}, { 'io.modelcontextprotocol/logLevel': 'info' });
  const params = { name, arguments: {}, _meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'call', method: 'tools/call', params });
  const head = Object.entries({
    ...{ host: url.host, accept: 'application/json, text/event-stream' },
    ...{ 'content-type': 'application/json', 'content-length': String(body.length) },
    ...(session ?? { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }),
    ...headers,
  });
  const socket = connect(Number(url.port), url.hostname).pause();
  await once(socket, 'connect');
  socket.on('error', () => {});
  socket.write(
    ['POST /mcp HTTP/1.1', ...head.map(([key, value]) => `${key}: ${value}`), '', body].join('\r\n'),
  );
  return socket;
}

/** What there is to read of a call, up to its answer or the end of the connection. */
export async function readAnswer(socket: Readable): Promise<readonly Message[]> {
  const chunks: string[] = [];
  for await (const chunk of socket) {
    chunks.push(String(chunk));
    if (chunks.slice(-2).join('').slice(-100).includes('"id":"call"}')) break;
  }
  const answer = chunks.join('');
  return [...answer.matchAll(/^(?:data: )?(\{.*\})\r?$/gm)].map(
    ([, data]) => JSON.parse(data ?? '') as Message,
  );
}
