import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';
import { isLoopback } from '../../../core/page/page-address.ts';
import { reachingAt } from '../../http/bounded-fetch.ts';
import { readLogin } from './read-login.ts';

/** How long an address of a login may take to answer, whole, milliseconds. */
const PATIENCE = 30_000;

/** How often such an address may send on. */
const MOST_HOPS = 5;

/** Where a cloud tells its machines their secrets, and where nobody is: nobody logs in there. */
const nowhere = listOf(
  ['169.254.0.0', 16],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['192.0.0.0', 24],
  ['224.0.0.0', 3],
  ['fe80::', 10],
  ['fd00:ec2::254', 128],
  ['fd20:ce::254', 128],
  ['100::', 64],
  ['ff00::', 8],
  // What leads on to an address of IPv4 that cannot be told.
  ['64:ff9b:1::', 48],
  ['2001::', 32],
);

/** Networks that are not the internet. */
const inside = listOf(
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['::', 127],
  ['fc00::', 7],
  ['fec0::', 10],
);

/**
 * A `fetch` for what a server names for its login: its authorization server, and where that keeps what. The server is somebody else's,
 * and it is we who ask: it must not reach through us what it could not reach itself (such as `http://169.254.169.254`), have us say secrets
 * where others hear them, or keep us waiting for ever. A name is looked up, for it may be that of an address inside, and what is asked then
 * is what was looked at.
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
    const asked = new URL(input instanceof Request ? input.url : input);
    let url = asked;
    for (let hops = 0; ; hops++) {
      const addresses = await safeAddresses(url, own, find);
      const pinned = addresses && reachingAt(addresses);
      const response = await fetch(url, { ...init, signal, redirect: 'manual', ...pinned });
      const location = response.headers.get('location');
      // What is sent is sent once: only what is read may be elsewhere.
      const isMoved = response.status >= 300 && response.status < 400 && (init?.method ?? 'GET') === 'GET';
      if (location === null || !isMoved) return await readLogin(asked, response);
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

/** Where a name is; nothing for the server's own. @throws `TypeError`, which the SDK hands on */
async function safeAddresses(url: URL, own: URL, find: Find): Promise<readonly string[] | undefined> {
  if (url.host === own.host && url.protocol === own.protocol) return undefined;
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(hostOf(url))))
    throw new TypeError(`the server names an address for its login that is not https: ${url.href}`);
  const addresses = await addressesAt(url, find);
  const isUnsafe =
    addresses.some((one) => isIn(nowhere, one)) ||
    (isInside(url, addresses) && !isInside(own, await addressesAt(own, find)));
  if (isUnsafe)
    throw new TypeError(`the server names an address for its login that is not on the internet: ${url.href}`);
  return addresses;
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

/** Networks; those of IPv4 also as IPv6 carries them: compatible, translated (NAT64), 6to4. */
function listOf(...nets: readonly (readonly [net: string, prefix: number])[]): BlockList {
  const list = new BlockList();
  for (const [net, prefix] of nets) {
    if (isIP(net) === 6) list.addSubnet(net, prefix, 'ipv6');
    else {
      list.addSubnet(net, prefix, 'ipv4');
      const hex = net.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
      const [high, low] = [hex.slice(0, 2).join(''), hex.slice(2).join('')];
      for (const before of ['::', '64:ff9b::'])
        list.addSubnet(`${before}${high}:${low}`, 96 + prefix, 'ipv6');
      list.addSubnet(`2002:${high}:${low}::`, 16 + prefix, 'ipv6');
    }
  }
  return list;
}
