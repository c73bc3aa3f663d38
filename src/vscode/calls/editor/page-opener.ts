import { type Operation, until } from 'effection';
import { isLoopback, readPageAddress } from '../../../core/page/page-address.ts';

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
  return yield* until(opener.open(yield* seenFrom(opener, read.address)));
}

/**
 * An address as the person's browser reaches it: one of the machine that the extension runs on is forwarded where that is another than
 * the person's. Only its origin is: the rest stays as it stands.
 */
export function* seenFrom(
  { isElsewhere, forward }: Pick<Opener, 'isElsewhere' | 'forward'>,
  { href, hostname, origin, pathname, search, hash }: URL,
): Operation<string> {
  if (!(isElsewhere && isLoopback(hostname))) return href;
  const base = (yield* until(forward(origin))).replace(/\/$/, '');
  return `${base}${pathname}${search}${hash}`;
}
