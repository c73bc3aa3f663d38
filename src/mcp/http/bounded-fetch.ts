import type { LookupOptions } from 'node:dns';
import { isIP } from 'node:net';

/** Longest message that is read of a server, in bytes. */
export const MAX_MESSAGE = 16 * 1024 ** 2;

const NEWLINE = 10;
const RETURN = 13;

/**
 * A `fetch` whose answers hold no message longer than `most` bytes: a body of JSON as a whole, each event of a stream. A longer
 * one breaks the answer off with an error that says so. A signal that many requests share is let go of by each that is over.
 */
export function boundedFetch(
  most = MAX_MESSAGE,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): typeof globalThis.fetch {
  return async (input, init) => {
    const { signal, release } = ownSignal(init?.signal);
    try {
      const response = await fetch(input, { ...patiently(), ...init, signal });
      if (!response.body) {
        release();
        return response;
      }
      const streams = /^text\/event-stream/i.test(response.headers.get('content-type') ?? '');
      if (!streams && isShort(response.headers, most)) return readOnce(response, release);
      const { status, statusText, headers } = response;
      const bounded = new Response(limited(response.body, most, streams, release), {
        status,
        statusText,
        headers,
      });
      // What a response says of itself beside its body is lost in a copy.
      Object.defineProperty(bounded, 'url', { value: response.url });
      Object.defineProperty(bounded, 'redirected', { value: response.redirected });
      return bounded;
    } catch (error) {
      release();
      throw error;
    }
  };
}

const DISPATCHER = Symbol.for('undici.globalDispatcher.1');
let patient: { readonly of: unknown; readonly init: object } | undefined;

/**
 * Node's `fetch` ends what is silent for five minutes: how long an answer may take is for whoever asks. Of the dispatcher that it has,
 * another is made without that; one that somebody else has put there stays.
 */
function patiently(): object {
  const global: unknown = Reflect.get(globalThis, DISPATCHER);
  if (patient?.of === global) return patient?.init ?? {};
  const init = dispatching(/^(?:Agent|EnvHttpProxyAgent)$/, { headersTimeout: 0, bodyTimeout: 0 });
  patient = { of: global, init };
  return init;
}

/**
 * Has a request go to these addresses, whatever its name is that of by then. A proxy looks at names itself, and so does a dispatcher that
 * somebody else has put there.
 */
export function reachingAt(addresses: readonly string[]): object {
  const found = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup = (_name: string, { all }: LookupOptions, done: (...said: unknown[]) => void) => {
    const [first] = found;
    if (!first) done(new Error('its name is not known here'));
    else if (all) done(null, found);
    else done(null, first.address, first.family);
  };
  return dispatching(/^Agent$/, { connect: { lookup } });
}

function dispatching(named: RegExp, options: object): object {
  const global: unknown = Reflect.get(globalThis, DISPATCHER);
  const { constructor: Maker } = Object(global) as { readonly constructor: new (options: object) => object };
  return named.test(Maker.name) ? { dispatcher: new Maker(options) } : {};
}

/**
 * A signal of one request that follows another until it is let go of. `fetch` lets go of a signal when its request is collected, and a
 * connection's own would have a listener for each request until then, all of which the next one looks through.
 */
function ownSignal(followed: AbortSignal | null | undefined) {
  if (!followed) return { signal: null, release: () => {} };
  const own = new AbortController();
  const stop = () => own.abort(followed.reason);
  followed.addEventListener('abort', stop, { once: true });
  if (followed.aborted) stop();
  return { signal: own.signal, release: () => followed.removeEventListener('abort', stop) };
}

/** A response that says when its body has been read. */
function readOnce(response: Response, done: () => void): Response {
  const { json, text } = response;
  return Object.assign(response, {
    json: () => json.call(response).finally(done),
    text: () => text.call(response).finally(done),
  });
}

/** Whether a body says that it is within the bounds: no more of it is read than it says. What is packed may be longer than that. */
function isShort(headers: Headers, most: number): boolean {
  const length = headers.get('content-length');
  return length !== null && Number(length) <= most && !headers.has('content-encoding');
}

/** What is said of a message that is longer. */
export function tooLong(most: number): Error {
  return new Error(`the server sent a message of more than ${most / 1024 ** 2} MB`);
}

/** Not a stream between two others: that costs more than all else of an answer. */
function limited(body: ReadableStream<Uint8Array>, most: number, events: boolean, done: () => void) {
  const reader = body.getReader();
  const ends = new EventEnds();
  let held = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done: isOver, value: chunk } = await reader.read().catch((error: unknown) => {
          done();
          throw error;
        });
        if (isOver) {
          done();
          return controller.close();
        }
        const end = events ? ends.lastIn(chunk) : -1;
        if (held + (end < 0 ? chunk.length : end) > most) {
          const error = tooLong(most);
          controller.error(error);
          done();
          return await reader.cancel(error);
        }
        held = end < 0 ? held + chunk.length : chunk.length - end;
        controller.enqueue(chunk);
      },
      cancel(reason) {
        done();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Finds where events end: at an empty line, whose two ends may come in two chunks. Lines end with LF, CR or both. */
class EventEnds {
  #isEmpty = false;
  #last = 0;

  /** Where the last event that ends in a chunk ends; -1 when none does. */
  lastIn(chunk: Uint8Array): number {
    let end = -1;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte === NEWLINE || byte === RETURN) {
        const isSameEnd = byte === NEWLINE && this.#last === RETURN;
        if (this.#isEmpty && !isSameEnd) end = at;
        this.#isEmpty = true;
      } else this.#isEmpty = false;
      this.#last = byte;
    }
    return end;
  }
}
