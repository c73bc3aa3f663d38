import * as z from 'zod/mini';
import type { FormContent, FormJsonSchema, FormProperty } from '../core/form/form-schema.ts';

/*
 * The restricted schema of MCP form elicitation (2025-11-25, client/elicitation), parsed. The types are core's; unknown
 * keywords are dropped here, as the MCP SDKs drop them.
 */

const text = { title: z.optional(z.string()), description: z.optional(z.string()) };
const choice = z.object({ const: z.string(), title: z.string() });

const titledSelect = z.object({
  type: z.literal('string'),
  ...text,
  oneOf: z.array(choice),
  default: z.optional(z.string()),
});

const plainSelect = z.object({
  type: z.literal('string'),
  ...text,
  enum: z.array(z.string()),
  enumNames: z.optional(z.array(z.string())),
  default: z.optional(z.string()),
});

const stringProperty = z.object({
  type: z.literal('string'),
  ...text,
  minLength: z.optional(z.number()),
  maxLength: z.optional(z.number()),
  format: z.optional(z.enum(['email', 'uri', 'date', 'date-time'])),
  default: z.optional(z.string()),
});

const numberProperty = z.object({
  type: z.enum(['number', 'integer']),
  ...text,
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  default: z.optional(z.number()),
});

const booleanProperty = z.object({
  type: z.literal('boolean'),
  ...text,
  default: z.optional(z.boolean()),
});

const multiSelect = z.object({
  type: z.literal('array'),
  ...text,
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  items: z.union([
    z.object({ anyOf: z.array(choice) }),
    z.object({ type: z.literal('string'), enum: z.array(z.string()) }),
  ]),
  default: z.optional(z.array(z.string())),
});

/** One property of a form. Selects come first: a select is a string property with more to it. */
const formProperty = z.union([
  titledSelect,
  plainSelect,
  stringProperty,
  numberProperty,
  booleanProperty,
  multiSelect,
]) as unknown as z.ZodMiniType<FormProperty>;

/** The schema of an elicitation's form. */
export const formJsonSchema = z.object({
  type: z.literal('object'),
  properties: z.record(z.string(), formProperty),
  required: z.optional(z.array(z.string())),
}) as unknown as z.ZodMiniType<FormJsonSchema>;

/** An accepted form: values of the fields that were filled in; untouched optional fields are absent. */
export const formContent = z.record(
  z.string(),
  z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]),
) as unknown as z.ZodMiniType<FormContent>;
