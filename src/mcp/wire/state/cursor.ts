import { isObject } from '../../../core/schema/is-object.ts';
import { invalidParams } from '../rpc/rpc-error.ts';

/** One page of a list, and the cursor of the next one. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/** What to page: `list` names the list, so that a cursor of one is refused by another. */
export interface PageRequest<T> {
  readonly list: string;
  readonly cursor: unknown;
  readonly size: number;
  /** The key that orders the list: unique in it. */
  key(item: T): string;
}

/**
 * One page of `items`, which must be in the order of {@link compareKeys}. A cursor says after which key the page
 * begins, so it stays good while items come and go. @throws `-32602` for a cursor that this list never gave.
 */
export function pageOf<T>(items: readonly T[], request: PageRequest<T>): ListPage<T> {
  const start = request.cursor === undefined ? 0 : firstAfter(items, request);
  const page = items.slice(start, start + request.size);
  const last = page.at(-1);
  if (last === undefined || start + request.size >= items.length) return { items: page };
  return { items: page, nextCursor: encodeCursor(request.list, request.key(last)) };
}

function firstAfter<T>(items: readonly T[], request: PageRequest<T>): number {
  const after = decodeCursor(request.list, request.cursor);
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle] as T;
    if (compareKeys(request.key(item), after) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** By code unit: the same order on every machine and in every locale. */
export function compareKeys(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function encodeCursor(list: string, after: string): string {
  return Buffer.from(JSON.stringify({ v: 1, list, after }), 'utf8').toString('base64url');
}

function decodeCursor(list: string, cursor: unknown): string {
  const refused = () =>
    invalidParams(
      'Invalid cursor: this list did not return it. Start again without a cursor, and send each nextCursor back unchanged',
    );
  if (typeof cursor !== 'string') throw refused();
  let decoded: unknown;
  try {
    decoded = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw refused();
  }
  if (!isObject(decoded) || decoded.v !== 1 || decoded.list !== list) throw refused();
  const after = decoded.after;
  if (typeof after !== 'string' || encodeCursor(list, after) !== cursor) throw refused();
  return after;
}
