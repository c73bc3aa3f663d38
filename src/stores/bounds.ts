import { checkOptions } from '../core/schema/check-options.ts';

/** How much a store keeps. */
export interface StoreBounds {
  /** Calls in all, 20,000 by default. Those that have ended give way, the oldest first; then new ones are refused. */
  readonly calls?: number;
  /** Calls of one principal, 10,000 by default. */
  readonly share?: number;
  /** What one call may take up, bytes: 16 MB by default, and as much again for its events. */
  readonly callBytes?: number;
  /** How long a call is kept that nobody touches, milliseconds: 30 days by default. */
  readonly age?: number;
}

const DAY = 86_400_000;

/** The bounds with their defaults. @throws `TypeError` for a bound that is not known */
export function storeBounds(bounds: StoreBounds = {}): Required<StoreBounds> {
  const { calls = 20_000, share = 10_000, callBytes = 16 * 2 ** 20, age = 30 * DAY, ...rest } = bounds;
  checkOptions('bounds: a store', rest, ['calls', 'share', 'callBytes', 'age']);
  return { calls, share, callBytes, age };
}
