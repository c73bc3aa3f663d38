import { Agent, type IncomingMessage, request } from 'node:http';
import { Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { isLoopback } from '../../../../core/page/page-address.ts';
import { boundedFetch, MAX_MESSAGE } from '../../../http/bounded-fetch.ts';
import { answerIn } from './near-answer.ts';

/** A `fetch`, and what lets go of the connections that it keeps. */
export interface NearFetch {
  readonly fetch: typeof globalThis.fetch;
  end(): void;
}

/** How long a connection is kept for the next request: less than servers keep theirs, which is five seconds with Node. Milliseconds. */
const KEPT = 4_000;

/**
 * A `fetch` for a server on this machine: the global one costs several times as much as the call. An answer to a POST that is one
 * message is read whole, also as an event of a stream; any other is a `Response` as always. All other addresses are for `elsewhere`: behind
 * a name of the network there may be a proxy, or certificates that the editor knows.
 *
 * @param most the longest message that is read of a server, in bytes
 */
export function nearFetch(elsewhere: typeof globalThis.fetch, most = MAX_MESSAGE): NearFetch {
  const agent = new Agent({ keepAlive: true, timeout: KEPT });
  return {
    async fetch(input, init = {}) {
      const url = input instanceof URL ? input : new URL(input instanceof Request ? input.url : input);
      const { method = 'GET', body, signal } = init;
      const isNear = url.protocol === 'http:' && isLoopback(url.hostname);
      if (!isNear || !(typeof body === 'string' || body === undefined)) return await elsewhere(input, init);
      const headers = Object.fromEntries(
        init.headers instanceof Headers ? init.headers : new Headers(init.headers),
      );
      return await new Promise<Response>((resolve, reject) => {
        signal?.throwIfAborted();
        if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body));
        const asked = request(url, { agent, method, headers });
        const stop = () => asked.destroy(signal?.reason);
        signal?.addEventListener('abort', stop, { once: true });
        asked.once('close', () => signal?.removeEventListener('abort', stop));
        const fail = (error: Error) => reject(signal?.aborted ? signal.reason : error);
        // As `fetch` says it.
        const failed = (cause: Error) => fail(new TypeError('fetch failed', { cause }));
        asked.once('error', failed);
        asked.once('upgrade', (_came, socket) => {
          socket.destroy();
          failed(new Error('the server wants to speak another protocol'));
        });
        asked.once('response', (came) => {
          // From here on that is the reader's.
          asked.off('error', failed).on('error', () => {});
          const whole = method === 'POST' ? answerIn(came, most) : Promise.resolve(undefined);
          whole.then((answer) => resolve(answer ?? streamed(came, url, most))).catch(fail);
        });
        asked.end(body);
      });
    },
    end: () => agent.destroy(),
  };
}

/** What a `Response` may have no body with. */
const EMPTY: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer that is read as it comes. */
function streamed(came: IncomingMessage, url: URL, most: number): Promise<Response> {
  const { statusCode: status = 0, statusMessage: statusText = '', headersDistinct } = came;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value);
  const isEmpty = EMPTY.has(status);
  if (isEmpty) came.resume();
  const body = isEmpty ? null : (Readable.toWeb(unpacked(came)) as ReadableStream<Uint8Array>);
  const response = new Response(body, { status, statusText, headers });
  Object.defineProperty(response, 'url', { value: url.href });
  return boundedFetch(most, async () => response)(url);
}

/** It is not asked to be packed; some are all the same. */
function unpacked(came: IncomingMessage): Readable {
  const { 'content-encoding': packed } = came.headers;
  if (packed === undefined || packed === 'identity') return came;
  const unpacking = packed === 'br' ? createBrotliDecompress() : createUnzip();
  came.once('error', (error) => unpacking.destroy(error));
  return came.pipe(unpacking);
}
