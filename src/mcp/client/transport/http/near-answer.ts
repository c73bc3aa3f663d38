import type { IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { isObject } from '../../../../core/schema/is-object.ts';
import { tooLong } from '../../../http/bounded-fetch.ts';

/** Bytes that may follow an answer on its stream, and for how long, before its connection is given up. */
const MOST_BEHIND = 64 * 1024;
const PATIENCE = 5_000;

/**
 * An answer that is one message, read whole: JSON, or a stream whose first event it is. Nothing for one that has to be read as it comes;
 * what has come of it until then is put back.
 */
export function answerIn(came: IncomingMessage, most: number): Promise<Response | undefined> {
  const { statusCode, headers } = came;
  if (statusCode === 202) {
    leave(came);
    return Promise.resolve(wholeAnswer(came, ''));
  }
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (statusCode !== 200 || headers['content-encoding'] !== undefined) return Promise.resolve(undefined);
  if (type === 'application/json') return wholeJson(came, most);
  return type === 'text/event-stream' ? firstEvent(came, most) : Promise.resolve(undefined);
}

/**
 * A response that has come whole, as far as it is read.
 *
 * @param value the message of an event: whoever reads the answer is told that it is JSON
 */
function wholeAnswer(came: IncomingMessage, text: string, value?: object): Response {
  const { statusCode: status = 0, statusMessage: statusText = '', headers } = came;
  const all = value === undefined ? headers : { ...headers, 'content-type': 'application/json' };
  const answer: ReadAnswer = {
    ok: true,
    status,
    statusText,
    body: null,
    headers: {
      get(name) {
        const said = all[name.toLowerCase()];
        return Array.isArray(said) ? said.join(', ') : (said ?? null);
      },
      has: (name) => all[name.toLowerCase()] !== undefined,
    },
    text: async () => text,
    json: async () => value ?? JSON.parse(text),
  };
  // A whole `Response` costs more than the request.
  return answer as Response;
}

/** What the SDK's transport, and whatever stands before it, reads of an answer. */
interface ReadAnswer extends Pick<Response, 'ok' | 'status' | 'statusText' | 'body' | 'text' | 'json'> {
  readonly headers: Pick<Headers, 'get' | 'has'>;
}

function wholeJson(came: IncomingMessage, most: number): Promise<Response> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    came.on('data', (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > most) came.destroy(tooLong(most));
    });
    came.once('end', () => {
      // Leaves out a mark of the byte order, as `fetch` does.
      resolve(wholeAnswer(came, new TextDecoder().decode(Buffer.concat(chunks))));
    });
    came.once('error', (error) => reject(brokenOff(error)));
  });
}

/** The answer in the first event of a stream. */
function firstEvent(came: IncomingMessage, most: number): Promise<Response | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const events: EventSourceMessage[] = [];
    let isMore = false;
    const parser = createParser({
      onEvent: (event) => events.push(event),
      onRetry: () => {
        isMore = true;
      },
    });
    // What is not ASCII may be cut in two; it is decoded whole where it is the answer.
    const hear = (chunk: Buffer) => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > most) {
        came.destroy(tooLong(most));
        return;
      }
      parser.feed(chunk.toString('latin1'));
      const [event] = events;
      if (!event && !isMore) return;
      rest();
      const message = event && events.length === 1 && !isMore ? answerOf(event) : undefined;
      if (message) {
        leave(came);
        resolve(wholeAnswer(came, '', message));
      } else putBack();
    };
    const putBack = () => {
      rest();
      came.pause();
      came.unshift(Buffer.concat(chunks));
      resolve(undefined);
    };
    // It ends, or breaks, before it has said anything: whoever reads it as it comes finds out.
    const ended = () => {
      rest();
      resolve(undefined);
    };
    const broken = (error: Error) => {
      rest();
      reject(brokenOff(error));
    };
    const rest = () => {
      came.off('data', hear).off('end', ended).off('error', broken);
    };
    came.on('data', hear).once('end', ended).once('error', broken);
  });
}

/** What is said of an answer that did not come to its end. */
function brokenOff(error: Error): Error {
  const isOurs = !('code' in error);
  return isOurs ? error : new Error('the server broke its answer off', { cause: error });
}

/** The message of an event, where it is an answer. */
function answerOf({ event, data }: EventSourceMessage): Readonly<Record<string, unknown>> | undefined {
  if (event !== undefined && event !== 'message') return undefined;
  try {
    const message: unknown = JSON.parse(Buffer.from(data, 'latin1').toString());
    const isAnswer =
      isObject(message) && !('method' in message) && ('result' in message || 'error' in message);
    return isAnswer ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody reads on: what still comes is thrown away, so that its connection can be used again. */
function leave(came: IncomingMessage): void {
  if (came.complete) {
    came.resume();
    return;
  }
  let left = MOST_BEHIND;
  const late = setTimeout(() => came.destroy(), PATIENCE).unref();
  came.once('close', () => clearTimeout(late)).on('error', () => {});
  came.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) came.destroy();
  });
}
