import { randomInt } from 'node:crypto';

/** Characters that nobody takes for each other. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/** So many of them, for a code that people read and compare. */
export function letters(count: number): string {
  return Array.from({ length: count }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
