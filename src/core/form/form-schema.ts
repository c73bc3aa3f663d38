/**
 * The restricted JSON Schema of an elicitation: one flat object of primitive fields.
 * Source: MCP 2025-11-25, "Elicitation", `PrimitiveSchemaDefinition`.
 */

/** One field of text. */
export interface StringProperty {
  readonly type: 'string';
  readonly title?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly format?: 'email' | 'uri' | 'date' | 'date-time';
  readonly default?: string;
}

/** One field for a number. Bounds are inclusive: the protocol knows no others. */
export interface NumberProperty {
  readonly type: 'number' | 'integer';
  readonly title?: string;
  readonly description?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: number;
}

/** One yes/no field. */
export interface BooleanProperty {
  readonly type: 'boolean';
  readonly title?: string;
  readonly description?: string;
  readonly default?: boolean;
}

/** One choice out of several. `oneOf` carries titles; `enumNames` is the legacy way, still read. */
export type SingleSelectProperty = {
  readonly type: 'string';
  readonly title?: string;
  readonly description?: string;
  readonly default?: string;
} & (
  | { readonly enum: readonly string[]; readonly enumNames?: readonly string[]; readonly oneOf?: undefined }
  | { readonly oneOf: readonly TitledConst[]; readonly enum?: undefined }
);

/** Any number of choices out of several. */
export interface MultiSelectProperty {
  readonly type: 'array';
  readonly title?: string;
  readonly description?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items:
    | { readonly type: 'string'; readonly enum: readonly string[]; readonly anyOf?: undefined }
    | { readonly anyOf: readonly TitledConst[]; readonly enum?: undefined };
  readonly default?: readonly string[];
}

/** A value and what people call it. */
export interface TitledConst {
  readonly const: string;
  readonly title: string;
}

/** One field of a form. */
export type FormProperty =
  | StringProperty
  | NumberProperty
  | BooleanProperty
  | SingleSelectProperty
  | MultiSelectProperty;

/** A whole form: what `requestedSchema` carries. */
export interface FormJsonSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, FormProperty>>;
  readonly required?: readonly string[];
}

/** What one field may answer. */
export type FormValue = string | number | boolean | readonly string[];

/** What a filled form answers: `ElicitResult.content` on the wire. */
export type FormContent = Readonly<Record<string, FormValue>>;
