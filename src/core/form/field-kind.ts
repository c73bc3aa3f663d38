import type * as z from 'zod/mini';
import type { JsonSchema, JsonValue } from '../messages/json.ts';

/**
 * A kind of form field: all that this folder knows of it. Its schema is that of MCP's restricted forms, with the hints beside it that only
 * Parley's own form reads. `W`: what the field is to any other client.
 */
export interface FieldKind<P, W = P> {
  readonly schema: z.ZodMiniType;
  /** The field for a property of an author's schema, without labels and default; nothing for a property of another kind. */
  compile(node: JsonSchema, resolve: Resolve): Compiled<Omit<P, keyof Labels | 'default'>> | undefined;
  /** Whether the field can begin with a value. */
  fits(property: P, value: unknown): boolean;
  /** What a value is that fits, to authors; the property's type where nothing is said. */
  readonly called?: string;
  /** The field for clients that have no hints, which are taken out before; as it is where nothing is said. */
  wire?(property: P): W;
  /** The value of what such a client answered. */
  fromWire?(value: JsonValue): JsonValue;
}

/** What every field has. */
interface Labels {
  readonly title?: string;
  readonly description?: string;
  readonly page?: string;
}

/** Follows `$ref`. */
export type Resolve = (node: JsonSchema) => JsonSchema;

/** A form field, or the words that say what to do instead. */
export type Compiled<P> = P | string;

/** What every field has: title, description, and the page that it is on. */
export function labels(node: JsonSchema): Labels {
  return { ...textKeyword(node, 'title'), ...textKeyword(node, 'description'), ...textKeyword(node, 'page') };
}

/** A keyword that says something. */
export function textKeyword<K extends string>(node: JsonSchema, keyword: K): { [P in K]?: string } {
  const value = node[keyword];
  return (isString(value) ? { [keyword]: value } : {}) as { [P in K]?: string };
}

/** A keyword that is set or not. */
export function flagKeyword<K extends string>(node: JsonSchema, keyword: K): { [P in K]?: true } {
  return (node[keyword] === true ? { [keyword]: true } : {}) as { [P in K]?: true };
}

/** A keyword that counts something. */
export function countKeyword<K extends string>(node: JsonSchema, keyword: K): { [P in K]?: number } {
  const value = node[keyword];
  return (
    typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { [keyword]: value } : {}
  ) as {
    [P in K]?: number;
  };
}

/** The type of a property that has one, and does not combine others. */
export function plainType({ type, anyOf, oneOf, not }: JsonSchema): unknown {
  return Array.isArray(anyOf ?? oneOf) || not !== undefined ? undefined : type;
}

/** Is it a text? */
export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
