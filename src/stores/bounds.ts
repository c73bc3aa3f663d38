import { checkOptions } from '../core/schema/check-options.ts';

/** How much a store keeps. */
export interface StoreBounds {
  /**
   * Calls in all, 20,000 by default. Those that have ended give way, the oldest first; then the oldest waiting call of the principal with most, if
   * that is more than the newcomer has. Where nothing can give way, new ones are refused.
   */
  readonly calls?: number;
  /** Calls of one principal, 2,000 by default, or all where that is less: of its own only those that have ended give way. */
  readonly share?: number;
  /** What all calls may take up when one begins, bytes: 4 GB by default, with the same to give way. */
  readonly bytes?: number;
  /** What those of one principal may take up when one begins, bytes: 256 MB by default. */
  readonly shareBytes?: number;
  /** What one call may take up, bytes: 16 MB by default, and as much again for its events. */
  readonly callBytes?: number;
  /** How long a call is kept that nobody touches, milliseconds: 30 days by default. */
  readonly age?: number;
}

const DAY = 86_400_000;

/** The bounds with their defaults. @throws `TypeError` for a bound that is not known */
export function storeBounds(bounds: StoreBounds = {}): Required<StoreBounds> {
  const { calls = 20_000, callBytes = 16 * 2 ** 20, age = 30 * DAY, ...others } = bounds;
  const { share = 2_000, bytes = 4 * 2 ** 30, shareBytes = 2 ** 28, ...rest } = others;
  checkOptions('bounds: a store', rest, ['calls', 'share', 'bytes', 'shareBytes', 'callBytes', 'age']);
  return { calls, share, bytes, shareBytes, callBytes, age };
}
