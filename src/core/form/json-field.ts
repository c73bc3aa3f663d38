import type * as z from 'zod';
import type { JsonValue } from '../messages/json.ts';

declare const AS_JSON: unique symbol;

/** Data that is one field of a form: `T`, told apart by the compiler alone. */
export type AsJson<T> = (unknown extends T ? JsonValue : T) & { readonly [AS_JSON]?: never };

/** What is told apart so. */
export type JsonMark = typeof AS_JSON;

/**
 * A field of a form whose value is any JSON that `schema` describes: rows of a table, a group. In Parley's own form they are rows and fields;
 * other clients show one text of JSON, which is read back and checked.
 *
 * @example
 * const items = json(z.array(z.object({ what: z.string(), cost: z.number() })).min(1)).meta({ title: 'Items' });
 * const questions = { report: z.object({ items }) }; // .elicits(questions)
 */
export function json<S extends z.ZodType>(schema: S): z.ZodType<z.output<S>, AsJson<z.input<S>>> {
  // The mark is for the compiler: the schema takes and gives what it did.
  return schema.meta({ ...schema.meta(), json: true }) as never;
}
