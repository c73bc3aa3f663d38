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
  return verdict(value, refuseButCode);
}

/** Like {@link toJson}, but never refuses: what is not JSON becomes text. For logs, which must not fail the tool. */
export function toLoggedJson(value: unknown): JsonValue | undefined {
  try {
    return copied(value, undefined, describe);
  } catch (error) {
    return `[cannot be read: ${toError(error).message}]`;
  }
}

function verdict(value: unknown, other: Other): JsonVerdict {
  try {
    return { ok: true, value: copied(value, undefined, other) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, problem: error.message };
    throw error;
  }
}

/** Deeper data would end in a stack overflow somewhere on its way. */
const MAX_DEPTH = 500;

class NotJson extends Error {}

/** Where a part of a value is: the object that holds it, under this key, and where that is. */
class Place {
  readonly value: object;
  readonly above: Place | undefined;
  readonly depth: number;
  key: string | number | undefined;

  constructor(value: object, above: Place | undefined) {
    this.value = value;
    this.above = above;
    this.depth = above ? above.depth + 1 : 1;
  }

  /** Whether an object is within itself here. */
  isWithin(value: object): boolean {
    for (let at: Place | undefined = this; at; at = at.above) if (at.value === value) return true;
    return false;
  }

  /** As `seats[2].row`. Written only where something is wrong. */
  get path(): string {
    const above = this.above?.path ?? '';
    if (typeof this.key === 'number') return `${above}[${this.key}]`;
    if (this.key === undefined) return above;
    return above === '' ? this.key : `${above}.${this.key}`;
  }
}

type Other = (place: Place | undefined, what: string, value: unknown) => JsonValue | undefined;

function refuse(place: Place | undefined, what: string): never {
  const path = place?.path ?? '';
  throw new NotJson(`${path === '' ? 'the value' : path} is ${what}, which is not JSON`);
}

function refuseButCode(place: Place | undefined, what: string, value: unknown): undefined {
  if (typeof value !== 'function' && typeof value !== 'symbol') refuse(place, what);
}

function describe(_place: Place | undefined, what: string, value: unknown): JsonValue {
  return typeof value === 'bigint' || typeof value === 'number' ? String(value) : `[${what}]`;
}

function copied(value: unknown, place: Place | undefined, other: Other): JsonValue | undefined {
  switch (typeof value) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return value;
    case 'number':
      // JSON has one zero.
      return Number.isFinite(value) ? value + 0 : other(place, `${value}`, value);
    case 'object':
      return value === null ? null : copiedObject(value, place, other);
    default:
      return other(place, `a ${typeof value}`, value);
  }
}

function copiedObject(value: object, place: Place | undefined, other: Other): JsonValue | undefined {
  if (place?.isWithin(value)) return other(place, 'a part of itself', value);
  if (place && place.depth >= MAX_DEPTH) return other(place, `nested more than ${MAX_DEPTH} deep`, value);
  const below = new Place(value, place);
  if ('toJSON' in value && typeof value.toJSON === 'function') return copied(value.toJSON(), below, other);
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      below.key = index;
      return copied(item, below, other) ?? null;
    });
  }
  if (value instanceof Error) return copiedError(value, below, other);
  if (value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)) {
    return other(place, `a ${value.constructor.name}`, value);
  }
  const copy: Record<string, JsonValue | undefined> = {};
  for (const key of Object.keys(value)) {
    below.key = key;
    const field = copied(Reflect.get(value, key), below, other);
    if (field !== undefined) {
      // A plain assignment of `__proto__` would change the copy's prototype.
      if (key === '__proto__') Object.defineProperty(copy, key, { value: field, enumerable: true });
      else copy[key] = field;
    }
  }
  return copy;
}

// `JSON.stringify` makes `{}` of an error: nothing that anybody wants to read in a log.
function copiedError(error: Error, place: Place, other: Other): JsonValue | undefined {
  const { name, message, cause } = error;
  const said = { name, message, ...defined({ cause }) };
  return copied({ ...error, ...said }, place, other);
}
