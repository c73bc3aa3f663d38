/** Locations that are remembered: a server sends on once, from `/mcp` to `/mcp/`. */
const MOST = 10;

/**
 * A `fetch` that sends headers to one address alone, and to where that one sends on within its origin. The transport uses the same
 * `fetch` to log in: what a person wrote for a server, such as a key, is for none of the addresses that the server names then.
 *
 * @param elsewhere asks all other addresses
 */
export function withOwnHeaders(
  address: string,
  headers: Readonly<Record<string, string>>,
  fetch: typeof globalThis.fetch,
  elsewhere: typeof globalThis.fetch,
): typeof globalThis.fetch {
  const own = new Set([withoutFragment(new URL(address)).href]);
  return async (input, init) => {
    const url = withoutFragment(new URL(input instanceof Request ? input.url : input));
    if (!own.has(url.href)) return await elsewhere(input, init);
    const all = new Headers(init?.headers);
    for (const [name, value] of Object.entries(headers)) if (!all.has(name)) all.set(name, value);
    // Followed by whoever called, who asks us again: nothing of this goes elsewhere unseen.
    const response = await fetch(input, { ...init, headers: all, redirect: 'manual' });
    const location = response.status >= 300 && response.status < 400 && response.headers.get('location');
    if (location && URL.canParse(location, url) && own.size < MOST) {
      const next = withoutFragment(new URL(location, url));
      if (next.origin === url.origin || isSecured(url, next)) own.add(next.href);
    }
    return response;
  };
}

/** Whether a server sends on from `http` to `https`. */
function isSecured(from: URL, to: URL): boolean {
  const isPlain = from.protocol === 'http:' && from.port === '' && to.port === '';
  return isPlain && to.protocol === 'https:' && from.hostname === to.hostname;
}

function withoutFragment(url: URL): URL {
  url.hash = '';
  return url;
}
