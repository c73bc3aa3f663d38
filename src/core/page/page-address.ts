/** Longest address of a page that a person is sent to, characters: what browsers and servers still take. */
const MAX_ADDRESS = 8_000;

const LOOPBACK = /^(localhost|(.+\.)?localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Whether a host, as `URL` gives it, is this machine itself. */
export function isLoopback(hostname: string): boolean {
  return LOOPBACK.test(hostname);
}

/** An address that a person may be sent to, or the sentence that says why not. */
export type PageAddress =
  | { readonly ok: true; readonly address: URL }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the address of a page: `https:`, or `http:` on this machine. The address that comes back is plain ASCII, its host in
 * punycode: the reader sees where it leads.
 *
 * @example
 * const read = readPageAddress('https://exämple.com/pay');
 * if (read.ok) show(read.address.href); // https://xn--exmple-cua.com/pay
 */
export function readPageAddress(given: unknown): PageAddress {
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== 'string' || !URL.canParse(text)) return no('it is no address');
  if (text.length > MAX_ADDRESS) return no(`an address has at most ${MAX_ADDRESS} characters`);
  const address = new URL(text);
  if (address.username !== '' || address.password !== '') {
    return no('a name or password in front of its host would hide where it leads');
  }
  if (address.protocol === 'https:') return { ok: true, address };
  if (address.protocol === 'http:' && isLoopback(address.hostname)) return { ok: true, address };
  return no("it begins with 'https://', or with 'http://' and a host of this machine (127.0.0.1, localhost)");
}

/** An address as a record shows it: what stands behind its path may be a key to it. */
export function briefAddress(address: string): string {
  if (!URL.canParse(address)) return '';
  const { origin, pathname, search, hash } = new URL(address);
  return `${origin}${pathname}${search === '' && hash === '' ? '' : '?…'}`;
}

function no(problem: string): PageAddress {
  return { ok: false, problem };
}
