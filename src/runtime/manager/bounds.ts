import type { ManagerBounds } from './manager.ts';

/** What calls take up, and how much of it there may be at once. */
export interface Bounds {
  /** Calls that run. */
  readonly running: number;
  /** Calls that wait for an answer while nobody is attached; and as many that ended and wait to be fetched. */
  readonly waiting: number;
  /** Bytes of what callers gave and answered, of results that wait, and of what calls did that nobody attends to. */
  readonly bytes: number;
}

/** What all principals may take up together where nobody says otherwise. */
export const TOTAL: Bounds = { running: 10_000, waiting: 1_000, bytes: 256 * 2 ** 20 };

/** What each principal may take up where nobody says otherwise. */
export const SHARE: Bounds = { running: 2_000, waiting: 200, bytes: 32 * 2 ** 20 };

/** The bounds that were given, and these where none was. */
export function callBounds(
  { maxSessions, maxWaiting, maxBytes }: ManagerBounds = {},
  { running, waiting, bytes }: Bounds,
): Bounds {
  return { running: maxSessions ?? running, waiting: maxWaiting ?? waiting, bytes: maxBytes ?? bytes };
}
