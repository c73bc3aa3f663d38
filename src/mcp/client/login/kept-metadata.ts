import { type HeldAnswer, holdAnswer, responseFrom } from './one-refresh.ts';
import { METADATA } from './read-login.ts';

/** How long an authorization server is believed what it said of itself, milliseconds. */
const FRESH = 300_000;

/** Answers that are kept: a server has one authorization server, which says it of itself at one address. */
const MOST = 10;

/**
 * A `fetch` for logins that asks an authorization server once in a while what it says of itself: the SDK asks it with each refresh. Not kept
 * is what the server says of its login, which may move to another authorization server; calls that want to know it at one moment ask once.
 */
export function withKeptMetadata(
  fetch: typeof globalThis.fetch,
  now: () => number = () => performance.now(),
): typeof globalThis.fetch {
  const asked = new Map<string, { readonly until: number; readonly said: Promise<HeldAnswer> }>();

  const ask = (url: URL, ...parameters: Parameters<typeof globalThis.fetch>) => {
    const said = fetch(...parameters).then(holdAnswer);
    const made = { until: now() + FRESH, said };
    const [oldest] = asked.keys();
    if (asked.size >= MOST && oldest !== undefined) asked.delete(oldest);
    asked.set(url.href, made);
    const forget = () => {
      if (asked.get(url.href) === made) asked.delete(url.href);
    };
    said.then(({ status }) => (status === 200 && METADATA.test(url.pathname)) || forget(), forget);
    return made;
  };

  return async (input, init) => {
    if ((init?.method ?? 'GET') !== 'GET' || init?.signal) {
      const response = await fetch(input, init);
      // What it said may be old where it refuses something.
      if (!response.ok) asked.clear();
      return response;
    }
    const url = new URL(input instanceof Request ? input.url : input);
    const known = asked.get(url.href);
    const { said } = known && known.until > now() ? known : ask(url, input, init);
    return responseFrom(await said);
  };
}
