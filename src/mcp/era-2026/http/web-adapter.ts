import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unread } from '../../http/unread.ts';

/** A handler of web requests, such as the SDK's. */
export type WebHandler = (request: Request) => Promise<Response>;

/**
 * A request whose body was read before. It has what handlers of web requests read then; all else of a `Request` throws
 * at once, for it is made without the constructor, which takes longer than a tool that only echoes.
 */
class ReadRequest {
  /** Nothing of it is used, and what came may be none. */
  readonly url = 'http://localhost/mcp';
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  /** What its client has not read of the answer. */
  readonly unread: Unread;

  constructor(method: string, headers: Headers, signal: AbortSignal, unread: Unread) {
    this.method = method;
    this.headers = headers;
    this.signal = signal;
    this.unread = unread;
  }
}
Object.setPrototypeOf(ReadRequest.prototype, Request.prototype);

/** Resolves when the client of a request that `serveWeb` has handed on has read enough of the answer to be sent more, or is gone. */
export function roomFor(request: Request | undefined): Promise<void> {
  return request instanceof ReadRequest ? request.unread.room() : Promise.resolve();
}

/**
 * Hands a `node:http` request, whose body has been read already, to a handler of web requests. Its signal aborts when
 * the client goes: on the 2026 wire that is how a call is cancelled.
 *
 * @param maxUnread bytes that may wait for a client who does not read, before its connection is dropped
 */
export async function serveWeb(
  req: IncomingMessage,
  res: ServerResponse,
  maxUnread: number,
  handler: WebHandler,
): Promise<void> {
  const gone = new AbortController();
  res.on('close', () => {
    if (!res.writableFinished) gone.abort();
  });
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    if (typeof value === 'string') headers.set(name, value);
    else for (const one of value ?? []) headers.append(name, one);
  }
  const unread = new Unread(res, maxUnread);
  const request: object = new ReadRequest(req.method ?? 'GET', headers, gone.signal, unread);
  const response = await handler(request as Request);
  if (res.destroyed) {
    await response.body?.cancel().catch(() => {});
    return;
  }
  const sent = Object.fromEntries(response.headers);
  if (!sent['content-type']?.startsWith('text/event-stream')) {
    // Whole, so that head and body are one write.
    const body = Buffer.from(await response.arrayBuffer());
    res.writeHead(response.status, { ...sent, 'content-length': body.length });
    res.end(body);
    return;
  }
  res.writeHead(response.status, sent);
  if (response.body) await pump(response.body, res, unread);
  else res.end();
}

async function pump(body: ReadableStream<Uint8Array>, res: ServerResponse, unread: Unread): Promise<void> {
  const reader = body.getReader();
  res.on('error', () => {});
  res.on('close', () => void reader.cancel().catch(() => {}));
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      // What waited before counts.
      if (unread.full) res.destroy();
      else res.write(value);
    }
    res.end();
  } catch {
    res.destroy();
  }
}
