import type { Operation } from 'effection';
import { callContext } from './call-context.ts';

/** Makes ids. Tests hand in one that counts. */
export interface Ids {
  /** A new id that begins with the prefix: `call_1f0c…`. */
  next(prefix: string): string;
}

/** Bytes of one id, and of how many ids they are drawn at once: to draw them costs more than to write them down. */
const SIZE = 16;
const DRAWN = 512;

const DIGITS = [...'0123456789abcdef'].map((digit) => digit.charCodeAt(0));

const drawn = new Uint8Array(SIZE * DRAWN);
let used = drawn.length;
const written: number[] = new Array(2 * SIZE).fill(0);

const randomIds: Ids = {
  next(prefix) {
    if (used === drawn.length) {
      crypto.getRandomValues(drawn);
      used = 0;
    }
    for (let at = 0; at < SIZE; at++) {
      const byte = drawn[used] ?? 0;
      written[2 * at] = DIGITS[byte >> 4] ?? 0;
      written[2 * at + 1] = DIGITS[byte & 15] ?? 0;
      used += 1;
    }
    return `${prefix}_${String.fromCharCode(...written)}`;
  },
};

/** Where new ids come from. Random unless a test sets another. */
export const IdsContext = callContext<Ids>('parley.ids', randomIds);

/** A new id that begins with the prefix. */
export function* nextId(prefix: string): Operation<string> {
  return (yield* IdsContext.expect()).next(prefix);
}
