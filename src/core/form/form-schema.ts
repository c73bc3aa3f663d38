import * as z from 'zod/mini';
import type { JsonObject } from '../messages/json.ts';
import { texts, words } from './kinds/keywords.ts';
import { type FormProperty, formProperty } from './kinds.ts';

export type { FormProperty };

/*
 * A form, described once: the compiler makes it, every port parses it with these schemas, and the page draws it from these
 * types. It is the restricted schema of MCP (2025-11-25, "Elicitation", `PrimitiveSchemaDefinition`), and beside each
 * keyword of the protocol the hints that only Parley's own form reads. `wire-form.ts` takes the hints out.
 */

/** A whole form: what `requestedSchema` carries. */
export const formJsonSchema = z.readonly(
  z.object({
    type: z.literal('object'),
    properties: z.readonly(z.record(z.string(), formProperty)),
    required: z.exactOptional(texts),
    // Hints: what the button says that sends it, and that a decline is no other answer than a cancel.
    action: words,
    decline: z.exactOptional(z.literal(false)),
    // Hint: it takes a word back that is no answer, which comes in a field of this name from clients that have no other place for it.
    replies: words,
  }),
);

/** A whole form, as JSON Schema: `requestedSchema` on the wire. */
export type FormJsonSchema = z.infer<typeof formJsonSchema>;
/** An accepted form: values of the fields that were filled in; untouched optional fields are absent. */
export type FormContent = JsonObject;
/** What a field of the protocol may answer: text, a number, yes or no, or a list of texts. */
export type FormValue = string | number | boolean | readonly string[];
