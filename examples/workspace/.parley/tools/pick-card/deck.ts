import * as z from 'zod';
import { randomFrom, shuffled } from '../random.ts';

/** One playing card. */
export const cardSchema = z.object({
  rank: z.enum(['A', '2', '3', '4', '5', '6', '7', '8', '9', '10', 'J', 'Q', 'K']),
  suit: z.enum(['spades', 'hearts', 'diamonds', 'clubs']),
});

/** One playing card. */
export type Card = z.infer<typeof cardSchema>;

const { rank: ranks, suit: suits } = cardSchema.shape;
const NAMES: Readonly<Record<string, string>> = { A: 'ace', J: 'jack', Q: 'queen', K: 'king' };

/** So many different cards; the same ones for the same seed. */
export function deal(count: number, seed: string): Card[] {
  const deck = suits.options.flatMap((suit) => ranks.options.map((rank) => ({ rank, suit })));
  return shuffled(deck, randomFrom(seed)).slice(0, count);
}

/** `queen of hearts`. */
export function nameOf({ rank, suit }: Card): string {
  return `${NAMES[rank] ?? rank} of ${suit}`;
}
