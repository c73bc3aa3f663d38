import { connect, type Socket } from 'node:net';

/** What a server made of bytes that were sent to it. */
export interface Outcome {
  /** What came back, as text. */
  readonly text: string;
  /** Whether the server closed the connection, rather than this end. */
  readonly closed: boolean;
}

/** How bytes are sent. */
export interface Sending {
  /** Ends the connection at once, answered or not. */
  readonly abort?: boolean;
  /** Milliseconds of silence after which the peer says that this was all; 5 s by default. */
  readonly patience?: number;
}

/** Sends bytes on a connection of its own, and reads until there is an answer or the server closes. */
export function sendBytes(port: number, bytes: Uint8Array, sending: Sending = {}): Promise<Outcome> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const { patience = 5_000 } = sending;
    const chunks: Buffer[] = [];
    const quiet = setTimeout(() => socket.end(), patience);
    const late = setTimeout(() => finish(false), 2 * patience + 1_000);
    const finish = (closed: boolean) => {
      clearTimeout(quiet);
      clearTimeout(late);
      socket.destroy();
      resolve({ text: Buffer.concat(chunks).toString('latin1'), closed });
    };
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      // Pipelined answers follow at once.
      setImmediate(() => finish(false));
    });
    socket.on('error', () => {});
    socket.on('close', () => finish(true));
    if (sending.abort) socket.write(bytes, () => socket.destroy());
    else socket.write(bytes);
  });
}

/** A connection that says nothing, reads nothing, and stays when the other end closes it. */
export function openSocket(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true }, () => resolve(socket));
    socket.once('error', reject);
  });
}
