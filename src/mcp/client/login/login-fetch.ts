import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../core/page/page-address.ts';

/** How long an address of a login may take to answer, whole, milliseconds. */
const PATIENCE = 30_000;

/** How often such an address may send on. */
const MOST_HOPS = 5;

/** Where a cloud tells its machines their secrets, among others: nobody logs in there. */
const linkLocal = listOf(['169.254.0.0', 16, 'ipv4'], ['fe80::', 10, 'ipv6']);

/** Networks that are not the internet. */
const inside = listOf(
  ['0.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['::', 127, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
);

/**
 * A `fetch` for what a server names for its login: its authorization server, and where that keeps what. The server is somebody else's,
 * and it is we who ask: it must not reach through us what it could not reach itself (such as `http://169.254.169.254`), have us say secrets
 * where others hear them, or keep us waiting for ever. A name is looked up: it may be that of an address inside.
 *
 * @param server the address of the server; what is on its own host is asked in any case
 */
export function loginFetch(
  server: string,
  fetch: typeof globalThis.fetch,
  patience = PATIENCE,
  find: Find = findAddresses,
): typeof globalThis.fetch {
  const own = new URL(server);
  return async (input, init) => {
    const late = AbortSignal.timeout(patience);
    const signal = init?.signal ? AbortSignal.any([init.signal, late]) : late;
    let url = new URL(input instanceof Request ? input.url : input);
    for (let hops = 0; ; hops++) {
      await refuseUnsafe(url, own, find);
      const response = await fetch(url, { ...init, signal, redirect: 'manual' });
      const location = response.headers.get('location');
      // What is sent is sent once: only what is read may be elsewhere.
      const isMoved = response.status >= 300 && response.status < 400 && (init?.method ?? 'GET') === 'GET';
      if (location === null || !isMoved) return response;
      await response.body?.cancel();
      if (hops >= MOST_HOPS || !URL.canParse(location, url))
        throw new TypeError(`the login address ${url.href} sends on without end`);
      url = new URL(location, url);
    }
  };
}

/** The addresses of a name: none where it is not known here, as behind a proxy, which does that for us. */
type Find = (name: string) => Promise<readonly string[]>;

const findAddresses: Find = async (name) =>
  await lookup(name, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  );

/** @throws `TypeError`, which the SDK hands on */
async function refuseUnsafe(url: URL, own: URL, find: Find): Promise<void> {
  if (url.host === own.host && url.protocol === own.protocol) return;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(hostOf(url))))
    throw new TypeError(`the server names an address for its login that is not https: ${url.href}`);
  const addresses = await addressesAt(url, find);
  const isUnsafe =
    addresses.some((one) => isIn(linkLocal, one)) ||
    (isInside(url, addresses) && !isInside(own, await addressesAt(own, find)));
  if (isUnsafe)
    throw new TypeError(`the server names an address for its login that is not on the internet: ${url.href}`);
}

/** Whether it is this machine, or in a network of its own. */
function isInside(url: URL, addresses: readonly string[]): boolean {
  return isLoopback(hostOf(url)) || addresses.some((one) => isIn(inside, one));
}

async function addressesAt(url: URL, find: Find): Promise<readonly string[]> {
  const host = hostOf(url).replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? await find(host) : [host];
}

function isIn(list: BlockList, address: string): boolean {
  const version = isIP(address);
  return version !== 0 && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function hostOf({ hostname }: URL): string {
  return hostname.replace(/\.$/, '');
}

function listOf(
  ...nets: readonly (readonly [net: string, prefix: number, family: 'ipv4' | 'ipv6'])[]
): BlockList {
  const list = new BlockList();
  for (const net of nets) list.addSubnet(...net);
  return list;
}
