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
  /** The field for clients that have no hints: `property` is without them. As it is where nothing is said. */
  wire?(property: P, whole: P): W;
  /** What clients draw it as. */
  readonly drawn: DrawnKind;
  /** The field as a text, with words for what to put in: for clients that draw no field of this kind. */
  lower?(property: W): LoweredText;
  /** The value of what such a client answered: what it cannot be is left for the schema to refuse. @throws words for a text that is no such value */
  fromWire?(value: JsonValue, property: P): JsonValue;
}

/** Kinds of fields as clients draw them. */
export type DrawnKind = 'text' | 'choice' | 'choices' | 'number' | 'yesNo';

/** A field that was made a text. */
interface LoweredText {
  readonly type: 'string';
  readonly title?: string;
  readonly description: string;
  readonly default?: string;
}

/** Words behind those that a field has already. */
export function describedAs(description: string | undefined, words: string): string {
  return description === undefined ? words : `${description} (${words})`;
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
  return keywordsOf(node, isString, 'title', 'description', 'page');
}

/** Those of some keywords that are of a type; what else stands there passes by. */
export function keywordsOf<T, K extends string>(
  node: JsonSchema,
  is: (value: unknown) => value is T,
  ...names: readonly K[]
): { readonly [P in K]?: T } {
  return Object.fromEntries(names.flatMap((name) => (is(node[name]) ? [[name, node[name]]] : []))) as {
    [P in K]?: T;
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

/** Is it a keyword that is set? */
export function isTrue(value: unknown): value is true {
  return value === true;
}

/** Is it a number of things? */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
