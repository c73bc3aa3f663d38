import type { Readable, Writable } from 'node:stream';
import { batchExcess, envelopeExcess } from '../wire/rpc/envelope-bounds.ts';
import { excess, jsonBounds } from '../wire/rpc/json-bounds.ts';
import {
  errorResponse,
  isRequest,
  isResponse,
  malformed,
  messageOf,
  type RpcMessage,
} from '../wire/rpc/json-rpc.ts';
import { RPC } from '../wire/rpc/rpc-error.ts';

/** A channel of messages; transports of the SDKs are some, too. */
export interface MessageTransport {
  start(): Promise<void>;
  send(message: RpcMessage): Promise<void>;
  close(): Promise<void>;
  onmessage?: ((message: RpcMessage) => void) | undefined;
  onclose?: (() => void) | undefined;
  /** Told that nothing more comes; whoever takes it closes the transport itself. */
  onended?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
}

/** How the messages of a server are read. */
export interface LineReader {
  /** The message in a value; nothing where there is none. */
  read(value: unknown): RpcMessage | undefined;
  /** Is given what is no message. */
  onJunk(line: string): void;
}

/** Longest line that is read, in bytes: 16 MiB. Nothing can be answered to a longer one, so the connection ends. */
const MAX_LINE = 16 * 1024 * 1024;

const BOUNDS = jsonBounds(MAX_LINE);

/** With more bytes than this that its client has not read, no further line is taken. */
const MAX_UNREAD = 1024 * 1024;

/** One for all: most lines are taken at once. */
const WRITTEN = Promise.resolve();

/** Lines that are taken before what they cause is given a turn. */
const BURST = 16;

/**
 * One JSON message a line, as MCP speaks on stdio. A line that is no message is answered, too:
 * one bad line must not leave a client waiting. A client that does not read is not read from. Ends when
 * the input has, and all of it is taken; the last line needs no newline.
 */
export class LineTransport implements MessageTransport {
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #reader: LineReader | undefined;
  #chunks: Buffer[] = [];
  #held = 0;
  /** Complete lines that wait for their turn; the input is paused meanwhile. */
  #lines: Buffer[] = [];
  #waiting = false;
  #draining: Promise<void> | undefined;
  #closed = false;
  /** Why it ended, when that was neither the client's end nor a call of `close`. */
  failure: Error | undefined;

  onmessage?: (message: RpcMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onended?: () => void;
  #ended = false;

  /** @param reader reads messages of a server; without one they are a client's, and what is none is answered */
  constructor(input: Readable, output: Writable, reader?: LineReader) {
    this.#input = input;
    this.#output = output;
    this.#reader = reader;
  }

  async start(): Promise<void> {
    this.#input
      .on('data', this.#onData)
      .on('end', this.#onLast)
      .on('close', this.#onClosed)
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
      .off('end', this.#onLast)
      .off('close', this.#onClosed)
      .off('error', this.#onEnd);
    this.#input.on('error', () => {});
    this.#input.pause();
    this.#chunks = [];
    this.#lines = [];
    this.onclose?.();
  }

  readonly #onEnd = () => {
    this.close().catch(() => {});
  };

  /** Closed without an end, it is lost. */
  readonly #onClosed = () => {
    if (!this.#ended) this.#onEnd();
  };

  readonly #onLast = (): void => {
    this.#ended = true;
    this.#lines.push(this.#taken(Buffer.alloc(0)));
    if (!this.#waiting) this.#take();
  };

  readonly #onData = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      this.#lines.push(this.#taken(chunk.subarray(from, at)));
      from = at + 1;
    }
    if (from < chunk.length) {
      this.#chunks.push(chunk.subarray(from));
      this.#held += chunk.length - from;
    }
    if (!this.#waiting) this.#take();
    if (this.#held > MAX_LINE) this.#fail(new Error(`a line on stdin is longer than ${MAX_LINE} bytes`));
  };

  #taken(rest: Buffer): Buffer {
    if (this.#chunks.length === 0) return rest;
    const line = Buffer.concat([...this.#chunks, rest]);
    this.#chunks = [];
    this.#held = 0;
    return line;
  }

  /** Takes lines while there are some, and while the client reads what they cause. */
  readonly #take = (): void => {
    this.#waiting = false;
    for (const line of this.#lines.splice(0, BURST)) {
      this.#line(line);
      if (this.#closed) return;
    }
    if (this.#output.writableLength > MAX_UNREAD) this.#wait((resume) => this.#drained().then(resume));
    else if (this.#lines.length > 0) this.#wait(setImmediate);
    else if (!this.#ended) this.#input.resume();
    else if (this.onended) this.onended();
    else this.#onEnd();
  };

  #wait(until: (resume: () => void) => unknown): void {
    this.#waiting = true;
    this.#input.pause();
    until(() => {
      if (!this.#closed) this.#take();
    });
  }

  /** The connection cannot go on: says why, and ends. */
  #fail(error: Error): void {
    if (this.#closed) return;
    this.failure = error;
    this.onerror?.(error);
    if (!this.#reader)
      this.#answer(errorResponse(null, RPC.invalidRequest, `Invalid request: ${error.message}`));
    this.#onEnd();
  }

  #line(line: Buffer): void {
    const text = line.toString('utf8').trim();
    if (text === '') return;
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#refuse(text, () => errorResponse(null, RPC.parse, 'Parse error: this line is not JSON'));
      return;
    }
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    const wrong = batchExcess(values);
    if (wrong !== undefined) {
      this.#refuse(text, () => errorResponse(null, RPC.invalidRequest, `Invalid request: ${wrong}`));
      return;
    }
    const tooMuch = excess(line, BOUNDS);
    for (const one of values) this.#message(one, text, tooMuch ?? envelopeExcess(one));
  }

  /**
   * @param text the line: what is no message may be nested deeper than it can be written again
   * @param tooMuch what of it is beyond the bounds
   */
  #message(value: unknown, text: string, tooMuch: string | undefined): void {
    const message = (this.#reader?.read ?? messageOf)(value);
    if (!message) {
      this.#refuse(text, () => malformed(value));
    } else if (tooMuch === undefined) {
      this.onmessage?.(message);
    } else if (isRequest(message)) {
      this.#answer(errorResponse(message.id, RPC.invalidParams, `Invalid params: ${tooMuch}`));
    } else if (isResponse(message) && message.id !== undefined) {
      // Whoever asked must not wait for an answer that was thrown away.
      const error = { code: RPC.invalidParams, message: `the answer cannot be used: ${tooMuch}` };
      this.onmessage?.({ jsonrpc: '2.0', id: message.id, error });
    } else this.onerror?.(new Error(`a notification was dropped: ${tooMuch}`));
  }

  #refuse(text: string, response: () => unknown): void {
    if (this.#reader) this.#reader.onJunk(text.slice(0, 1_000));
    else this.#answer(response());
  }

  #answer(response: unknown): void {
    this.#write(JSON.stringify(response)).catch(() => {});
  }

  #write(text: string): Promise<void> {
    if (this.#closed || this.#output.destroyed) return WRITTEN;
    return this.#output.write(`${text}\n`) ? WRITTEN : this.#drained();
  }

  /** Resolves when the client has read what there was, or never will. One wait for all that write meanwhile. */
  #drained(): Promise<void> {
    this.#draining ??= new Promise<void>((resolve) => {
      const done = () => {
        this.#output.off('drain', done).off('close', done).off('error', done);
        this.#draining = undefined;
        resolve();
      };
      this.#output.on('drain', done).on('close', done).on('error', done);
    });
    return this.#draining;
  }
}
