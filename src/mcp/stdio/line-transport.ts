import type { Readable, Writable } from 'node:stream';
import { errorResponse, malformed, messageOf, type RpcMessage } from '../wire/json-rpc.ts';
import { RPC } from '../wire/rpc-error.ts';

/** A channel of messages that both SDKs take: the part of their `Transport` that they share. */
export interface MessageTransport {
  start(): Promise<void>;
  send(message: RpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: RpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** Longest line that is read, in bytes: 16 MiB. A client that sends more is cut off. */
const MAX_LINE = 16 * 1024 * 1024;

/**
 * One JSON message a line, as MCP speaks on stdio. Written here since the SDKs' own do not answer a line that is no
 * message, and one bad line must not leave a client waiting. Ends when the input ends.
 */
export class LineTransport implements MessageTransport {
  readonly #input: Readable;
  readonly #output: Writable;
  #chunks: Buffer[] = [];
  #held = 0;
  #closed = false;

  onmessage?: (message: RpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
  }

  async start(): Promise<void> {
    this.#input
      .on('data', this.#onData)
      .on('end', this.#onEnd)
      .on('close', this.#onEnd)
      .on('error', this.#onEnd);
    // A client that is gone breaks the pipe: that is the end, not a crash.
    this.#output.on('error', this.#onEnd);
    if (this.#input.readableEnded || this.#input.destroyed) setImmediate(this.#onEnd);
  }

  send(message: RpcMessage): Promise<void> {
    return this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#input
      .off('data', this.#onData)
      .off('end', this.#onEnd)
      .off('close', this.#onEnd)
      .off('error', this.#onEnd);
    this.#input.on('error', () => {});
    this.#input.pause();
    this.#chunks = [];
    this.onclose?.();
  }

  readonly #onEnd = () => {
    this.close().catch(() => {});
  };

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#line(this.#taken(chunk.subarray(from, at)));
      from = at + 1;
      if (this.#closed) return;
    }
    if (from === chunk.length) return;
    this.#chunks.push(chunk.subarray(from));
    this.#held += chunk.length - from;
    if (this.#held <= MAX_LINE) return;
    this.onerror?.(new Error(`a line of more than ${MAX_LINE} bytes was sent`));
    this.#onEnd();
  };

  #taken(rest: Buffer): Buffer {
    if (this.#chunks.length === 0) return rest;
    const line = Buffer.concat([...this.#chunks, rest]);
    this.#chunks = [];
    this.#held = 0;
    return line;
  }

  #line(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#answer(errorResponse(null, RPC.parse, 'Parse error: this line is not JSON'));
      return;
    }
    const values: readonly unknown[] = Array.isArray(value) && value.length > 0 ? value : [value];
    for (const one of values) {
      const message = messageOf(one);
      if (message) this.onmessage?.(message);
      else this.#answer(malformed(one));
    }
  }

  #answer(response: unknown): void {
    this.#write(JSON.stringify(response)).catch(() => {});
  }

  async #write(text: string): Promise<void> {
    if (this.#closed || this.#output.destroyed) return;
    if (this.#output.write(`${text}\n`)) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#output.off('drain', done).off('close', done).off('error', done);
        resolve();
      };
      this.#output.on('drain', done).on('close', done).on('error', done);
    });
  }
}
