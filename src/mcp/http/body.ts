import type { IncomingMessage } from 'node:http';
import { envelopeExcess } from '../wire/rpc/envelope-bounds.ts';
import { excess, type JsonBounds, jsonBounds } from '../wire/rpc/json-bounds.ts';
import { RPC } from '../wire/rpc/rpc-error.ts';
import { patience } from './held-up.ts';

/** What came of reading a body. */
export type Body =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly status: 400 | 408 | 413 | 415;
      readonly message: string;
      /** What a JSON-RPC error says of it, where it is about the message and not about the transport. */
      readonly code?: number;
    };

/**
 * Reads a JSON body, no further than the limit. Never rejects; a request that breaks off is a 400 that nobody reads.
 */
export function readJson(
  req: IncomingMessage,
  limits: { maxBody: number; bodyTimeout: number },
): Promise<Body> {
  if (!/^application\/json\s*(;|$)/i.test(req.headers['content-type'] ?? '')) {
    return Promise.resolve({
      ok: false,
      status: 415,
      message: 'Unsupported Media Type: Content-Type must be application/json',
    });
  }
  const tooLarge: Body = {
    ok: false,
    status: 413,
    message: `Payload Too Large: a body holds at most ${limits.maxBody} bytes`,
  };
  if (Number(req.headers['content-length']) > limits.maxBody) return Promise.resolve(tooLarge);

  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const stopWaiting = patience(limits.bodyTimeout, () =>
      finish({ ok: false, status: 408, message: 'Request Timeout: the body did not arrive' }),
    );
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > limits.maxBody) finish(tooLarge);
      else chunks.push(chunk);
    };
    const bounds = jsonBounds(limits.maxBody);
    const onEnd = () => finish(parse(Buffer.concat(chunks), bounds));
    const onBroken = () => finish({ ok: false, status: 400, message: 'Bad Request: the body broke off' });

    function finish(body: Body): void {
      stopWaiting();
      req.off('data', onData).off('end', onEnd).off('error', onBroken).off('close', onBroken);
      // What is left of a body that is refused is not read; the connection goes with the answer.
      if (!body.ok) req.on('error', () => {}).pause();
      resolve(body);
    }
    req.on('data', onData).on('end', onEnd).on('error', onBroken).on('close', onBroken);
  });
}

/** What is read of a body that nobody wants, at most: bytes, and milliseconds. */
const DISCARDED = { bytes: 64 * 1024, wait: 1_000 } as const;

/**
 * Reads a small body to its end and drops it: a connection that is closed with something unread is reset, and its peer
 * may lose the answer. Goes no further than a bound; never rejects.
 */
export function discard(req: IncomingMessage): Promise<void> {
  if (req.complete) return Promise.resolve();
  return new Promise((resolve) => {
    let size = 0;
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size > DISCARDED.bytes) finish();
    };
    const late = setTimeout(() => finish(), DISCARDED.wait);
    function finish(): void {
      clearTimeout(late);
      req.off('data', onData).off('end', finish).off('error', finish).off('close', finish);
      req.on('error', () => {}).pause();
      resolve();
    }
    req.on('data', onData).on('end', finish).on('error', finish).on('close', finish);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function parse(bytes: Buffer, bounds: JsonBounds): Body {
  const tooMuch = excess(bytes, bounds);
  if (tooMuch !== undefined) return invalid(RPC.invalidParams, `Invalid params: ${tooMuch}`);
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(bytes));
  } catch {
    return invalid(RPC.parse, 'Parse error: the body is not JSON in UTF-8');
  }
  for (const message of Array.isArray(value) ? value : [value]) {
    const wide = envelopeExcess(message);
    if (wide !== undefined) return invalid(RPC.invalidParams, `Invalid params: ${wide}`);
  }
  return { ok: true, value };
}

function invalid(code: number, message: string): Body {
  return { ok: false, status: 400, message, code };
}
