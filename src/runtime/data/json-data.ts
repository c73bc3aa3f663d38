import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';

/** A value as JSON, or what about it is not. */
export type JsonVerdict =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly problem: string };

/**
 * Copies a value as JSON, the way `JSON.stringify` would: dates become text, fields that are `undefined` go. What
 * `JSON.stringify` would lose or refuse (functions, symbols, bigints, NaN, cycles) is a problem that names its place:
 * a call that ran in this realm would otherwise give more than the same call in a worker.
 */
export function toJson(value: unknown): JsonVerdict {
  return verdict(value, refuse);
}

/** Like {@link toJson}, but functions and symbols go, as with `JSON.stringify`: for what a tool returns. */
export function toResultJson(value: unknown): JsonVerdict {
  return verdict(value, (path, what, part) =>
    typeof part === 'function' || typeof part === 'symbol' ? undefined : refuse(path, what),
  );
}

/** Like {@link toJson}, but never refuses: what is not JSON becomes text. For logs, which must not fail the tool. */
export function toLoggedJson(value: unknown): JsonValue | undefined {
  try {
    return copied(value, '', [], describe);
  } catch (error) {
    return `[cannot be read: ${toError(error).message}]`;
  }
}

function verdict(value: unknown, other: Other): JsonVerdict {
  try {
    return { ok: true, value: copied(value, '', [], other) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Deeper data would end in a stack overflow somewhere on its way. */
const MAX_DEPTH = 500;

class NotJson extends Error {}

type Other = (path: string, what: string, value: unknown) => JsonValue | undefined;

function refuse(path: string, what: string): never {
  throw new NotJson(`${path === '' ? 'the value' : path} is ${what}, which is not JSON`);
}

function describe(_path: string, what: string, value: unknown): JsonValue {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : `[${what}]`;
}

function copied(
  value: unknown,
  path: string,
  above: readonly unknown[],
  other: Other,
): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // JSON has one zero.
      return Number.isFinite(value) ? value + 0 : other(path, `${value}`, value);
    case 'object':
      return value === null ? null : copiedObject(value, path, above, other);
    default:
      return other(path, `a ${typeof value}`, value);
  }
}

function copiedObject(
  value: object,
  path: string,
  above: readonly unknown[],
  other: Other,
): JsonValue | undefined {
  if (above.includes(value)) return other(path, 'a part of itself', value);
  if (above.length >= MAX_DEPTH) return other(path, `nested more than ${MAX_DEPTH} deep`, value);
  const below = [...above, value];
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    return copied(value.toJSON(), path, below, other);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => copied(item, `${path}[${index}]`, below, other) ?? null);
  }
  if (value instanceof Error) return copiedError(value, path, below, other);
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    return other(path, `a ${value.constructor.name}`, value);
  }
  const copy: Record<string, JsonValue | undefined> = {};
  for (const key of Object.keys(value)) {
    const field = copied(Reflect.get(value, key), path === '' ? key : `${path}.${key}`, below, other);
    if (field !== undefined) {
      // A plain assignment of `__proto__` would change the copy's prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: field, enumerable: true });
      else copy[key] = field;
    }
  }
  return copy;
}

// `JSON.stringify` makes `{}` of an error: nothing that anybody wants to read in a log.
function copiedError(
  error: Error,
  path: string,
  above: readonly unknown[],
  other: Other,
): JsonValue | undefined {
  const { name, message, cause } = error;
  const said = { name, message, ...defined({ cause }) };
  return copied({ ...error, ...said }, path, above, other);
}
