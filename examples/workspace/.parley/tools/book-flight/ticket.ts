import { randomFrom } from '../random.ts';

/** No letters or digits that people mix up when they read them out. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A ticket's number: the same for the same booking. */
export function ticketNumber(flight: string, seat: string, callId: string): string {
  const random = randomFrom(`${flight} ${seat} ${callId}`);
  const letters = Array.from({ length: 6 }, () => ALPHABET.charAt(Math.floor(random() * ALPHABET.length)));
  return `PAR-${letters.join('')}`;
}
