import * as z from 'zod/mini';
import type { JsonObject, JsonValue } from '../core/messages/json.ts';

/**
 * Is `value` JSON through and through? `false` for cycles, class instances and `NaN`; members that are `undefined` are
 * let pass, as `JSON.stringify` drops them. Walks without recursion, so that a deeply nested value cannot overflow the
 * stack of the end that parses it.
 */
export function isJson(value: unknown): value is JsonValue {
  const path = new Set<object>();
  const walk: { item: unknown; leave: boolean }[] = [{ item: value, leave: false }];
  for (let step = walk.pop(); step !== undefined; step = walk.pop()) {
    const { item, leave } = step;
    if (typeof item === 'object' && item !== null) {
      if (leave) {
        path.delete(item);
        continue;
      }
      if (path.has(item) || !(Array.isArray(item) || isPlain(item))) return false;
      path.add(item);
      walk.push({ item, leave: true });
      for (const member of membersOf(item)) walk.push({ item: member, leave: false });
    } else if (!isScalar(item)) return false;
  }
  return true;
}

/** Is `value` a JSON object (not an array, not `null`)? */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && isJson(value);
}

function membersOf(item: object): unknown[] {
  return Array.isArray(item) ? item : Object.values(item).filter((member) => member !== undefined);
}

function isScalar(item: unknown): boolean {
  return item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
}

function isPlain(item: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(item);
  // Values of another realm have their own Object.prototype, recognised by having no prototype itself.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Any JSON value. */
export const jsonValue = z.custom<JsonValue>(isJson, 'must be JSON');

/** Any JSON object. */
export const jsonObject = z.custom<JsonObject>(isJsonObject, 'must be a JSON object');
