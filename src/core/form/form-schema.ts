import * as z from 'zod/mini';

/*
 * A form, described once: the compiler makes it, every port parses it with these schemas, and the page draws it from these
 * types. It is the restricted schema of MCP (2025-11-25, "Elicitation", `PrimitiveSchemaDefinition`), and beside each
 * keyword of the protocol the hints that only Parley's own form reads. `wire-form.ts` takes the hints out.
 */

const text = z.exactOptional(z.string());
const number = z.exactOptional(z.number());
const flag = z.exactOptional(z.boolean());
const texts = z.readonly(z.array(z.string()));

/** What stands beside a choice, so that the person sees what it means. An image is a `data:` address. */
export const preview = z.readonly(
  z.object({ kind: z.enum(['code', 'diff', 'markdown', 'image']), text: z.string(), language: text }),
);

const titledConst = z.readonly(
  z.object({
    const: z.string(),
    title: z.string(),
    // Hints
    description: text,
    recommended: flag,
    preview: z.exactOptional(preview),
  }),
);

const titled = z.readonly(z.array(titledConst));

const common = {
  title: text,
  description: text,
  // Hint: the page of a form of several that the field is on, by its heading.
  page: text,
};

const stringProperty = z.object({
  type: z.literal('string'),
  ...common,
  minLength: number,
  maxLength: number,
  format: z.exactOptional(z.enum(['email', 'uri', 'date', 'date-time'])),
  default: text,
  // Hints: several lines, an example in the empty field, a path that is picked, and words about another field's choice.
  multiline: flag,
  placeholder: text,
  pick: z.exactOptional(z.enum(['file', 'folder', 'place'])),
  noteOn: text,
});

/** Bounds are inclusive: the protocol knows no others. */
const numberProperty = z.object({
  type: z.enum(['number', 'integer']),
  ...common,
  minimum: number,
  maximum: number,
  default: number,
  placeholder: text,
});

const booleanProperty = z.object({ type: z.literal('boolean'), ...common, default: flag });

/** Hint: `other`, words of the person's own answer it, too. */
const select = { type: z.literal('string'), ...common, default: text, other: flag };
const titledSelect = z.object({ ...select, oneOf: titled });
/** `enumNames` is the legacy way to name choices, still read. */
const plainSelect = z.object({ ...select, enum: texts, enumNames: z.exactOptional(texts) });

const several = {
  type: z.literal('array'),
  ...common,
  minItems: number,
  maxItems: number,
  default: z.exactOptional(texts),
};
const multiSelect = z.object({
  ...several,
  items: z.union([
    z.readonly(z.object({ anyOf: titled })),
    z.readonly(z.object({ type: z.literal('string'), enum: texts })),
  ]),
  // Hint: the order of the answer is the person's preference.
  ordered: flag,
});

/** Any number of texts. The protocol has no such field: on the wire it is one text with a line for each. */
const listProperty = z.object({
  ...several,
  items: z.readonly(
    z.strictObject({ type: z.literal('string'), minLength: number, maxLength: number, format: text }),
  ),
});

/** One field of a form. Selects come first: a select is a string property with more to it. */
const formProperty = z.union([
  z.readonly(titledSelect),
  z.readonly(plainSelect),
  z.readonly(stringProperty),
  z.readonly(numberProperty),
  z.readonly(booleanProperty),
  z.readonly(multiSelect),
  z.readonly(listProperty),
]);

/** A whole form: what `requestedSchema` carries. */
export const formJsonSchema = z.readonly(
  z.object({
    type: z.literal('object'),
    properties: z.readonly(z.record(z.string(), formProperty)),
    required: z.exactOptional(texts),
    // Hints: what the button says that sends it, and that a decline is no other answer than a cancel.
    action: text,
    decline: z.exactOptional(z.literal(false)),
  }),
);

/** An accepted form: values of the fields that were filled in; untouched optional fields are absent. */
export const formContent = z.readonly(
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), texts])),
);

/** What stands beside a choice. */
export type Preview = z.infer<typeof preview>;
/** A value, what people call it, and what helps them to choose it. */
export type TitledConst = z.infer<typeof titledConst>;
/** One field of text. */
export type StringProperty = Readonly<z.infer<typeof stringProperty>>;
/** One field for a number. */
export type NumberProperty = Readonly<z.infer<typeof numberProperty>>;
/** One choice out of several. */
export type SingleSelectProperty = Readonly<z.infer<typeof titledSelect> | z.infer<typeof plainSelect>>;
/** Any number of choices out of several. */
export type MultiSelectProperty = Readonly<z.infer<typeof multiSelect>>;
/** Any number of texts. */
export type ListProperty = Readonly<z.infer<typeof listProperty>>;
/** One field of a form. */
export type FormProperty = z.infer<typeof formProperty>;
/** A whole form, as JSON Schema: `requestedSchema` on the wire. */
export type FormJsonSchema = z.infer<typeof formJsonSchema>;
/** What a filled form answers: `ElicitResult.content` on the wire. */
export type FormContent = z.infer<typeof formContent>;
/** What one field may answer: text, a number, yes or no, or a list of texts. */
export type FormValue = FormContent[string];
