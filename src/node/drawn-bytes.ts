import { randomBytes } from 'node:crypto';

/** Drawing a few bytes costs as much as drawing these. */
const AT_ONCE = 4096;

let drawn = Buffer.alloc(0);
let used = 0;

/** Random bytes for nonces, salts and tickets, which nobody else gets: as `randomBytes`, for a few at a time. */
export function drawnBytes(count: number): Buffer {
  if (used + count > drawn.length) {
    // Not filled again: who has some of the last keeps them.
    drawn = randomBytes(Math.max(AT_ONCE, count));
    used = 0;
  }
  used += count;
  return drawn.subarray(used - count, used);
}
