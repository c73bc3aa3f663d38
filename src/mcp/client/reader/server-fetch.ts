import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isObject } from '../../../core/schema/is-object.ts';
import { readMessage } from './read-message.ts';

const EVENTS = 'text/event-stream';

/** Who wants a login, or knows the session no more: that counts for notifications, too. */
const TOLD: readonly number[] = [401, 403, 404];

/**
 * A `fetch` whose answers the SDK can read: each message in them is read as it was meant, and an answer that is one message, or a list of
 * them, comes as a stream of such, so that what asked hears when nothing more comes. What is no message is reported.
 */
export function readingFetch(
  fetch: typeof globalThis.fetch,
  report: (problem: string) => void,
): typeof globalThis.fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, body, headers } = response;
    if (!response.ok && init?.method === 'POST' && !isRequest(init.body) && !TOLD.includes(status)) {
      report(`it refused a notification with ${status}`);
      await body?.cancel();
      return new Response(null, { status: 202 });
    }
    // What is not let in, not found, or taken without an answer is for the SDK.
    if (!response.ok || status === 202 || !body) return response;
    const type = headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
    if (type === EVENTS) return answered(response, body.pipeThrough(readEvents(report)));
    if (init?.method !== 'POST') return response;
    const text = await response.text();
    const events = eventsOf(text, report);
    if (events !== undefined) return answered(response, events);
    // A page of a proxy, or a word for a notification, which nobody reads.
    if (!isRequest(init.body)) return new Response(text, response);
    throw new SyntaxError(`the server answered with what is no message of MCP (${type ?? 'of no type'})`);
  };
}

/** The same answer with another body. What a response says of itself beside its body is lost in a copy. */
function answered(response: Response, body: ReadableStream<Uint8Array> | string): Response {
  const headers = new Headers(response.headers);
  headers.set('content-type', EVENTS);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  const copy = new Response(body, { status: response.status, statusText: response.statusText, headers });
  return Object.defineProperties(copy, {
    url: { value: response.url },
    redirected: { value: response.redirected },
  });
}

function isRequest(body: unknown): boolean {
  const sent: unknown = JSON.parse(String(body));
  return isObject(sent) && 'id' in sent;
}

/** The messages in a text of JSON, an event each; nothing for what is not JSON. */
function eventsOf(text: string, report: (problem: string) => void): string | undefined {
  if (text.trim() === '') return '';
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return undefined;
  }
  const messages = [sent].flat().map(readMessage);
  if (messages.includes(undefined)) report(`it sent what is no message: ${text.slice(0, SHOWN)}`);
  return messages.map((message) => (message ? `data: ${JSON.stringify(message)}\n\n` : '')).join('');
}

/** Characters that are shown of what is no message. */
const SHOWN = 1_000;

function readEvents(report: (problem: string) => void) {
  const decoding = new TextDecoderStream();
  const encoding = new TextEncoderStream();
  const retries: string[] = [];
  let isJson: boolean | undefined;
  const whole = new TransformStream<string, string>({
    transform(text, controller) {
      // One message that is said to be events.
      const begins = isJson === undefined && /^\s*[[{]/.test(text);
      isJson ??= text.trim() === '' ? undefined : begins;
      const line = isJson ? text.replaceAll(/[\r\n]/g, ' ') : text;
      controller.enqueue(begins ? `data: ${line}` : line);
    },
    // Some leave the line out that ends the last event.
    flush: (controller) => controller.enqueue('\n\n'),
  });
  const parsed = decoding.readable
    .pipeThrough(whole)
    .pipeThrough(new EventSourceParserStream({ onRetry: (retry) => retries.push(`retry: ${retry}\n`) }));
  const reading = new TransformStream({
    transform({ id, data }: { readonly id?: string | undefined; readonly data: string }, controller) {
      const from = `${retries.splice(0).join('')}${id === undefined ? '' : `id: ${id}\n`}`;
      const events = eventsOf(data, report);
      // One event that cannot be read costs itself alone.
      if (events === undefined) report(`it sent what is no message: ${data.slice(0, SHOWN)}`);
      controller.enqueue(`${from}${events || 'data:\n\n'}`);
    },
    flush: (controller) => controller.enqueue(`${retries.join('')}\n`),
  });
  parsed
    .pipeThrough(reading)
    .pipeTo(encoding.writable)
    .catch(() => {});
  return { writable: decoding.writable, readable: encoding.readable };
}
