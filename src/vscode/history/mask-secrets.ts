import type { JsonObject, JsonValue } from '../../core/messages/json.ts';
import { namesSecret } from '../../core/messages/secret-names.ts';
import { secretLines } from '../../core/messages/secrets.ts';

const MASK = '***';

/** Shorter ones would be found in words that have nothing to do with them. */
const shortest = 4;

/**
 * What takes the secrets of these values out of any value, the same way everywhere: what a tool was given and gives back is masked in
 * both, so that the two still fit.
 */
export function secretsIn(
  values: readonly (JsonValue | undefined)[],
): <V extends JsonValue | undefined>(value: V) => V {
  const secrets = new Set<string>();
  const collect = (value: JsonValue | undefined, secret: boolean): void => {
    if (typeof value === 'string') {
      if (secret && value.length >= shortest) secrets.add(value);
      const lines = value.split('\n');
      for (const number of secretLines(value)) secrets.add(lines[number - 1] ?? value);
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, one] of Object.entries(value)) collect(one, secret || namesSecret(key));
    }
  };
  for (const value of values) collect(value, false);
  // A long one may have a short one in it.
  const known = [...secrets].sort((one, other) => other.length - one.length);
  const masked = (value: JsonValue, secret: boolean): JsonValue => {
    if (typeof value === 'string') {
      return secret ? MASK : known.reduce((text, one) => text.replaceAll(one, MASK), value);
    }
    if (Array.isArray(value)) return value.map((one) => masked(one, secret));
    if (typeof value !== 'object' || value === null) return secret && typeof value === 'number' ? 0 : value;
    const entries = Object.entries(value as JsonObject);
    return Object.fromEntries(
      entries.map(([key, one]) => [key, masked(one ?? null, secret || namesSecret(key))]),
    );
  };
  return <V extends JsonValue | undefined>(value: V) =>
    (value === undefined ? value : masked(value as JsonValue, false)) as V;
}
