import type { JsonValue } from '../../core/messages/json.ts';

/** For what is JSON though its type does not say so: interfaces have no index signature. */
export function asJson(value: object): JsonValue {
  return value as JsonValue;
}
