import * as z from 'zod';

/*
 * The restricted schema of MCP form elicitation (specification 2025-11-25, client/elicitation): a flat object of
 * primitive properties. Unknown keywords are dropped here, as the MCP SDKs drop them.
 */

const text = { title: z.string().optional(), description: z.string().optional() };
const choice = z.object({ const: z.string(), title: z.string() });

/** One of some choices, each with a title. */
export const titledSelect = z.object({
  type: z.literal('string'),
  ...text,
  oneOf: z.array(choice),
  default: z.string().optional(),
});

/** One of some choices; `enumNames` is the legacy way to give them titles. */
export const plainSelect = z.object({
  type: z.literal('string'),
  ...text,
  enum: z.array(z.string()),
  enumNames: z.array(z.string()).optional(),
  default: z.string().optional(),
});

/** Free text. */
export const stringProperty = z.object({
  type: z.literal('string'),
  ...text,
  minLength: z.number().optional(),
  maxLength: z.number().optional(),
  format: z.enum(['email', 'uri', 'date', 'date-time']).optional(),
  default: z.string().optional(),
});

/** A number or an integer. */
export const numberProperty = z.object({
  type: z.enum(['number', 'integer']),
  ...text,
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  default: z.number().optional(),
});

/** Yes or no. */
export const booleanProperty = z.object({
  type: z.literal('boolean'),
  ...text,
  default: z.boolean().optional(),
});

/** Any number of choices. */
export const multiSelect = z.object({
  type: z.literal('array'),
  ...text,
  minItems: z.number().optional(),
  maxItems: z.number().optional(),
  items: z.union([
    z.object({ anyOf: z.array(choice) }),
    z.object({ type: z.literal('string'), enum: z.array(z.string()) }),
  ]),
  default: z.array(z.string()).optional(),
});

/** One property of a form. Selects come first: a select is a string property with more to it. */
export const formProperty = z.union([
  titledSelect,
  plainSelect,
  stringProperty,
  numberProperty,
  booleanProperty,
  multiSelect,
]);

/** The schema of an elicitation's form. */
export const formJsonSchema = z.object({
  type: z.literal('object'),
  title: z.string().optional(),
  description: z.string().optional(),
  properties: z.record(z.string(), formProperty),
  required: z.array(z.string()).optional(),
});

/** One property of a form, as JSON Schema. */
export type FormProperty = z.infer<typeof formProperty>;

/** The schema of an elicitation's form, as JSON Schema. */
export type FormJsonSchema = z.infer<typeof formJsonSchema>;

/** What one field of a form answers. */
export const formValue = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]);

/** An accepted form: values of the fields that were filled in; untouched optional fields are absent. */
export const formContent = z.record(z.string(), formValue);

/** What one field of a form answers. */
export type FormValue = z.infer<typeof formValue>;

/** The content of an accepted form. */
export type FormContent = z.infer<typeof formContent>;
