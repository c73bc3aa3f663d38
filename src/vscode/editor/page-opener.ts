import { type Operation, until } from 'effection';
import { isLoopback, readPageAddress } from '../../core/page/page-address.ts';

/** What an editor opens pages with. */
export interface Opener {
  /** Whether the person's browser is on another machine than tools are. */
  readonly isElsewhere: boolean;
  /** The address at which the person's browser reaches an origin of the machine that tools are on. */
  forward(origin: string): Promise<string>;
  /** Opens an address as it stands; false when the person, or the system, did not. */
  open(href: string): Promise<boolean>;
}

/**
 * Opens a page in the person's browser: `https:`, or a page of the machine that the extension runs on, which is forwarded where
 * that is another one than the person's. False when it was not opened.
 */
export function* openPageWith(opener: Opener, url: string): Operation<boolean> {
  const read = readPageAddress(url);
  if (!read.ok) return false;
  const { address } = read;
  const isThere = isLoopback(address.hostname) && opener.isElsewhere;
  return yield* until(opener.open(isThere ? yield* forwarded(opener, address) : address.href));
}

/** Only the origin is forwarded: the rest of the address stays as it stands. */
function* forwarded(opener: Opener, { origin, pathname, search, hash }: URL): Operation<string> {
  const base = (yield* until(opener.forward(origin))).replace(/\/$/, '');
  return `${base}${pathname}${search}${hash}`;
}
