import type { ServerResponse } from 'node:http';
import { stopReasons } from '../../panel-port/index.ts';
import { sendJson } from '../http/respond.ts';
import { SseConnection } from '../http/sse-connection.ts';
import { AwaitedRequest, type RequestEnding } from '../request/awaited-request.ts';
import type { RpcResponse } from '../wire/rpc/json-rpc.ts';
import { RPC } from '../wire/rpc/rpc-error.ts';
import type { Exchange2026 } from './serving.ts';

/** Statuses that the protocol has for errors; all others are the answer to a request that was served. */
const STATUS: Readonly<Record<number, number>> = { [RPC.methodNotFound]: 404, [RPC.missingCapability]: 400 };

/** One POST with a request: it is answered with JSON, or with a stream where something is said before the answer. */
export class HttpExchange implements Exchange2026 {
  readonly awaited = new AwaitedRequest();
  readonly holdsConnection = true;
  finish: (() => void) | undefined;
  readonly #res: ServerResponse;
  readonly #maxUnread: number;
  #stream: SseConnection | undefined;
  #answered = false;

  /** @param maxUnread bytes that may wait for a client who does not read, before its connection is dropped */
  constructor(res: ServerResponse, maxUnread: number) {
    this.#res = res;
    this.#maxUnread = maxUnread;
    res.on('close', () => {
      if (!res.writableFinished) this.awaited.end({ why: stopReasons.byClient });
    });
  }

  async notify(method: string, params: object): Promise<void> {
    if (this.awaited.isOver || this.#answered) return;
    this.#stream ??= new SseConnection(this.#res, { headers: {}, maxUnread: this.#maxUnread });
    const stream = this.#stream;
    // What waited before counts.
    if (stream.full) stream.destroy();
    else stream.event(undefined, JSON.stringify({ jsonrpc: '2.0', method, params }));
    await stream.room();
  }

  answer(response: RpcResponse): void {
    if (this.awaited.isOver) return;
    this.#answered = true;
    if (this.#stream) {
      this.#stream.event(undefined, JSON.stringify(response));
      this.#stream.end();
    } else sendJson(this.#res, ('error' in response && STATUS[response.error.code]) || 200, response);
  }

  /** Ends it, without an answer where it has none of its own for that: its server is closed, or its principal is not let in any more. */
  close(ending: RequestEnding): void {
    if (this.finish) {
      this.finish();
      return;
    }
    this.awaited.end(ending);
    if (this.#stream) this.#stream.end();
    else if (!this.#res.headersSent) this.#res.writeHead(499).end();
  }
}
