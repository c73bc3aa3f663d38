import type { SseConnection } from '../http/sse-connection.ts';
import { isResponse, type RpcMessage } from '../wire/rpc/json-rpc.ts';

interface Stored {
  readonly seq: number;
  readonly data: string;
  /** Questions and answers: a client that resumes must get them. Notifications may be left out. */
  readonly essential: boolean;
}

/**
 * What one request (or the session itself) sends its client, numbered, so that a client who lost the connection gets
 * the rest: an open question again under its own id. The connection comes and goes; the stream stays.
 */
export class EventStream {
  readonly no: number;
  #events: Stored[] = [];
  /** How many of them, from the first on, need no further look. */
  #passed = 0;
  #seq = 0;
  #sent = 0;
  #bytes = 0;
  #connection: SseConnection | undefined;
  /** When the stream was ended, milliseconds since the epoch. */
  endedAt: number | undefined;

  readonly #grew: (bytes: number) => void;

  /** @param grew told of bytes that are kept for clients that resume */
  constructor(no: number, grew: (bytes: number) => void) {
    this.no = no;
    this.#grew = grew;
  }

  /** Bytes kept for clients that resume. */
  get bytes(): number {
    return this.#bytes;
  }

  get connected(): boolean {
    return this.#connection !== undefined;
  }

  /** Whether it has come to this event: who asks for what comes after a later one would not get what comes until there. */
  reached(seq: number): boolean {
    return seq <= this.#seq;
  }

  /** An event without data: gives the client an id to resume from before anything happened. */
  prime(): void {
    this.#connection?.event(this.#id(this.#seq), '', RETRY);
  }

  /**
   * Sends a message now, or when there is a connection again. What it gives resolves when the client has read enough to be sent
   * the next; who does not wait for that, and sends no question or answer, is not heard.
   */
  send(message: RpcMessage): Promise<void> | undefined {
    if (!isEssential(message) && this.#connection?.congested) return this.#connection.room();
    return this.#add(message);
  }

  /**
   * Sends a notification of one of several who send here, each of whom waits: what another has sent is no reason to leave it out. It is left out
   * where it is too late for it by then.
   */
  sendInTurn(message: RpcMessage, isLate: () => boolean): Promise<void> | undefined {
    if (!this.#connection?.congested) return this.#add(message);
    return this.#connection.room().then(() => (isLate() ? undefined : this.#add(message)));
  }

  #add(message: RpcMessage): Promise<void> | undefined {
    const essential = isEssential(message);
    const event: Stored = { seq: ++this.#seq, data: JSON.stringify(message), essential };
    this.#events.push(event);
    this.#bytes += event.data.length;
    this.drained();
    this.#grew(event.data.length);
    return essential ? undefined : this.#connection?.room();
  }

  /**
   * Continues on a connection, after the last event the client has (`undefined`: after the last one written). Another
   * connection of this stream is closed: it is dead, or its client would not be here.
   */
  attach(connection: SseConnection, after: number = this.#sent): void {
    this.#connection?.end();
    this.#connection = connection;
    this.#sent = after;
    this.#passed = 0;
    this.drained();
  }

  /** Sends on, as far as the client has read what it was sent. */
  drained(): void {
    for (; this.#passed < this.#events.length; this.#passed++) {
      const event = this.#events[this.#passed];
      if (!event || this.#connection?.full !== false) return;
      if (event.seq > this.#sent) this.#write(event);
    }
    if (this.endedAt !== undefined) this.#connection?.end();
  }

  /** The connection is gone. Says whether it was the current one. */
  detach(connection: SseConnection): boolean {
    if (this.#connection !== connection) return false;
    this.#connection = undefined;
    return true;
  }

  /** Nothing more will be sent. */
  end(now: number): void {
    this.endedAt ??= now;
    this.drained();
  }

  /** Cuts the connection. */
  destroy(): void {
    this.#connection?.destroy();
  }

  /** Forgets old notifications, up to so many bytes. Returns how many bytes it gave. */
  trim(wanted: number): number {
    const before = this.#bytes;
    let passed = this.#passed;
    this.#events = this.#events.filter((event, index) => {
      if (event.essential || before - this.#bytes >= wanted) return true;
      this.#bytes -= event.data.length;
      if (index < this.#passed) passed -= 1;
      return false;
    });
    this.#passed = passed;
    return before - this.#bytes;
  }

  #write(event: Stored): void {
    this.#sent = event.seq;
    this.#connection?.event(this.#id(event.seq), event.data);
  }

  #id(seq: number): string {
    return `${this.no}-${seq}`;
  }
}

function isEssential(message: RpcMessage): boolean {
  return isResponse(message) || 'id' in message;
}

/** How long a client shall wait before it connects again, milliseconds. */
const RETRY = 1000;

/** The stream and the event that a `Last-Event-ID` names. */
export function parseEventId(id: string): { readonly no: number; readonly seq: number } | undefined {
  const found = /^(\d{1,12})-(\d{1,12})$/.exec(id);
  return found ? { no: Number(found[1]), seq: Number(found[2]) } : undefined;
}
