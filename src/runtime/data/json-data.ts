import { toError } from '../../core/errors/parley-error.ts';
import type { JsonValue } from '../../core/messages/json.ts';
import { defined } from '../../core/schema/defined.ts';

/** A value as JSON, or what about it is not. */
export type JsonVerdict =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  | { readonly ok: false; readonly problem: string; readonly cause?: unknown };

/**
 * Copies a value as JSON, the way `JSON.stringify` would: dates become text, fields that are `undefined` go. What
 * `JSON.stringify` would lose or refuse (functions, symbols, bigints, NaN, cycles, promises, what throws when it is read) is a
 * problem that names its place: a call that ran in this realm would otherwise give more than the same call in a worker.
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
  return copied(value, undefined, describe);
}

function verdict(value: unknown, other: Other): JsonVerdict {
  try {
    return { ok: true, value: copied(value, undefined, other) };
  } catch (error) {
    if (error instanceof NotJson)
      return { ok: false, problem: error.message, ...defined({ cause: error.cause }) };
    throw error;
  }
}

/** What was thrown where a value was read, for the error that says so. */
export function causeOf({ cause }: { readonly cause?: unknown }): ErrorOptions {
  return defined({ cause });
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

/** What is there in the place of what is not JSON. `cause` is what was thrown when it was read. */
type Other = (
  place: Place | undefined,
  what: string,
  value: unknown,
  cause?: unknown,
) => JsonValue | undefined;

function refuse(place: Place | undefined, what: string, _value: unknown, cause?: unknown): never {
  const path = place?.path ?? '';
  const advice = WAITED_FOR[what] ?? '';
  throw new NotJson(
    `${path === '' ? 'the value' : path} is ${what}, which is not JSON${advice}`,
    defined({ cause }),
  );
}

/** What to do about what nobody has waited for. */
const WAITED_FOR: Readonly<Record<string, string>> = {
  'a Generator': ': write `yield*` before what made it',
  'an operation': ': write `yield*` before what made it',
  'a Promise': ': write `yield* until(promise)`',
};

function refuseButCode(
  place: Place | undefined,
  what: string,
  value: unknown,
  cause?: unknown,
): JsonValue | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  return refuse(place, what, value, cause);
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
  try {
    return copiedParts(value, place, below, other);
  } catch (error) {
    if (error instanceof NotJson) throw error;
    return other(below, `unreadable (${toError(error).message})`, value, error);
  }
}

function copiedParts(
  value: object,
  place: Place | undefined,
  below: Place,
  other: Other,
): JsonValue | undefined {
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const given: unknown = value.toJSON();
    // A date that is none: `JSON.stringify` makes nothing of it.
    return given === null && kindOf(value) === 'Date'
      ? other(place, 'an invalid Date', value)
      : copied(given, below, other);
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => {
      below.key = index;
      return copied(item, below, other) ?? null;
    });
  }
  if (value instanceof Error) return copiedError(value, below, other);
  const keys = Object.keys(value);
  const kind = specialKind(value, keys);
  if (kind === 'String' || kind === 'Number' || kind === 'Boolean')
    return copied(value.valueOf(), place, other);
  if (kind !== undefined) return other(place, `${/^[AEIO]/.test(kind) ? 'an' : 'a'} ${kind}`, value);
  // Nothing of an operation is in fields.
  if (keys.length === 0 && Symbol.iterator in value) return other(place, 'an operation', value);
  const copy: Record<string, JsonValue | undefined> = {};
  for (const key of keys) {
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

/** What kind of thing it is whose content is not in its fields: a Map, a promise, bytes. Nothing for all else. */
function specialKind(value: object, keys: readonly string[]): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return undefined;
  const kind = kindOf(value);
  if (kind === 'Object' || (keys.length > 0 && !WITH_FIELDS.test(kind))) return undefined;
  return kind;
}

/** Kinds that list their content as fields, too, or may have fields beside it. */
const WITH_FIELDS = /^(Map|Set|String|\w+Array)$/;

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}

// `JSON.stringify` makes `{}` of an error: nothing that anybody wants to read in a log.
function copiedError(error: Error, place: Place, other: Other): JsonValue | undefined {
  const { name, message, cause } = error;
  const said = { name, message, ...defined({ cause }) };
  return copied({ ...error, ...said }, place, other);
}
