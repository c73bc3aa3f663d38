import type { Socket } from 'node:net';
import { toError } from '../../core/errors/parley-error.ts';
import { Lines } from './lines.ts';
import { MOST_TEXT, type TextLink } from './link.ts';

/** A line over a socket. */
export interface SocketLine extends TextLink {
  /** Resolves once, when nothing comes any more, with what is wrong if something is. */
  readonly ended: Promise<Error | undefined>;
  close(): void;
}

/** Messages over a socket: each a line of JSON, which has no line ends of its own. */
export function lineOver(socket: Socket, lines: Lines = new Lines()): SocketLine {
  const { promise: ended, resolve } = Promise.withResolvers<Error | undefined>();
  let listener: ((text: unknown) => void) | undefined;
  let wrong: Error | undefined;
  const deliver = () => {
    if (!listener) return;
    try {
      for (let text = lines.shift(MOST_TEXT); text !== undefined; text = lines.shift(MOST_TEXT))
        listener(text);
    } catch (error) {
      wrong = toError(error);
      socket.destroy();
    }
  };
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    lines.push(chunk);
    deliver();
  });
  socket.on('error', (error) => {
    wrong ??= error;
  });
  socket.once('close', () => resolve(wrong));
  return {
    ended,
    send: (text) => void (socket.writable && socket.write(`${text}\n`)),
    listen(given) {
      listener = given;
      deliver();
    },
    close: () => void socket.destroy(),
  };
}
