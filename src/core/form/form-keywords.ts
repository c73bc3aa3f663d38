import type { JsonSchema } from '../messages/json.ts';

/** Follows `$ref`. */
export type Resolve = (node: JsonSchema) => JsonSchema;

/** A form field, or the words that say what to do instead. */
export type Compiled<P> = P | string;

/** What every field has: title, description, and the page that it is on. */
export function labels(node: JsonSchema): { title?: string; description?: string; page?: string } {
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

/** The default, if it is of the field's type: zod's default is of the output's, which a transform may change. */
export function defaulted<T>(node: JsonSchema, fits: (value: unknown) => value is T): { default?: T } {
  return fits(node.default) ? { default: node.default } : {};
}

/** A guard, for {@link defaulted}. */
export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
