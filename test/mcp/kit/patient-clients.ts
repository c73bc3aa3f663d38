import { setTimeout as delay } from 'node:timers/promises';
import { accept, ask, type Event, type Message, openSession, type Reply, type Session2025 } from './wire.ts';

/** As long a client tries again. */
const PATIENCE = 120_000;
const PAUSE = 200;

/** Does it again until it works: servers come and go. */
async function again<T>(what: string, once: () => Promise<T | undefined>): Promise<T> {
  const begun = Date.now();
  let last: unknown;
  while (Date.now() - begun < PATIENCE) {
    const value = await once().catch((error: unknown) => {
      last = error;
      return undefined;
    });
    if (value !== undefined) return value;
    await delay(PAUSE);
  }
  throw new Error(`${what} did not work for ${PATIENCE} ms: ${String(last)}`, { cause: last });
}

/** Answers the questions of one call as a client of 2026-07-28, and gives its text. What fails is sent again as it was. */
export async function callOf2026(url: URL, call: object, answer: (key: string) => object): Promise<string> {
  let params: Readonly<Record<string, unknown>> = { ...call };
  for (;;) {
    const { result } = await again<Message>(`a leg of ${JSON.stringify(call)}`, async () => {
      const message = await ask(url, 'tools/call', params);
      if (message.error) throw new Error(message.error.message);
      return message;
    });
    if (!result.inputRequests) return result.content[0].text;
    const keys = Object.keys(result.inputRequests);
    const inputResponses = Object.fromEntries(keys.map((key) => [key, accept(answer(key))]));
    params = { ...call, requestState: result.requestState, inputResponses };
  }
}

/** The same as a client of 2025-11-25: it resumes its stream, and begins anew when its session is over. */
export async function callOf2025(
  url: URL,
  call: object,
  answer: (message: string) => object,
): Promise<string> {
  for (;;) {
    const session = await again('a session', () => openSession(url));
    const text = await inSession(session, call, answer);
    if (text !== undefined) return text;
  }
}

async function inSession(
  session: Session2025,
  call: object,
  answer: (message: string) => object,
): Promise<string | undefined> {
  let reply: Reply | undefined = await session.request(1, 'tools/call', call).catch(() => undefined);
  let last: string | undefined;
  for (;;) {
    const event: Event | undefined = await reply?.next().catch(() => undefined);
    if (!event) {
      if (last === undefined) return undefined;
      const resumed = await again(`the stream of ${JSON.stringify(call)}`, async () => {
        const stream = await session.get(last);
        if (stream.status === 200 || stream.status === 404) return stream;
        stream.drop();
        throw new Error(`the stream is refused with ${stream.status}`);
      });
      if (resumed.status === 404) return undefined;
      reply = resumed;
      continue;
    }
    last = event.id ?? last;
    const { message } = event;
    if (message?.id === 1 && message.result) return message.result.content[0].text;
    if (message?.id === 1 && message.error) return undefined;
    if (message?.method !== 'elicitation/create' || message.id === undefined || message.id === null) continue;
    const { id, params } = message;
    const answered = await again('an answer', async () => {
      const { status } = await session.answer(id, accept(answer(params.message)));
      if (status === 202 || status === 404) return status;
      throw new Error(`an answer is refused with ${status}`);
    });
    if (answered === 404) return undefined;
  }
}
