import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';

/** What every field has. */
interface FieldBase {
  /** The property's name in the answer. */
  readonly name: string;
  /** What a person reads; the property's title, or its name in words. */
  readonly title: string;
  readonly description?: string | undefined;
  readonly required: boolean;
  /** Filled in at first. */
  readonly default?: JsonValue | undefined;
  /** Left empty, a required field answers `null` (parameters only; elicitation knows no `null`). */
  readonly nullable?: boolean | undefined;
}

/** Free text. */
export interface TextField extends FieldBase {
  readonly kind: 'string';
  readonly format?: 'email' | 'uri' | 'date' | 'date-time' | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  /** A regular expression (parameters only). */
  readonly pattern?: string | undefined;
}

/** A number or a whole number. */
export interface NumberField extends FieldBase {
  readonly kind: 'number' | 'integer';
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** Yes or no. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

/** Something to choose. */
export interface Choice {
  /** Tells choices apart, and is what a draft holds. */
  readonly id: string;
  readonly title: string;
  readonly value: JsonValue;
}

/** One of some choices. */
export interface SingleField extends FieldBase {
  readonly kind: 'single';
  readonly choices: readonly Choice[];
}

/** Any number of choices. */
export interface MultiField extends FieldBase {
  readonly kind: 'multi';
  readonly choices: readonly Choice[];
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
}

/** Whatever the flat form cannot express: JSON as text. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  readonly schema: JsonSchema;
}

/** One field of a form. */
export type Field = TextField | NumberField | BooleanField | SingleField | MultiField | JsonField;

/**
 * What a control holds, valid or not: the text as typed, a tick, the ids of what is chosen. `undefined` is a field that
 * nobody touched and that has no default.
 */
export type Raw = string | boolean | readonly string[] | undefined;

/** A form's controls by field name. */
export type RawValues = Readonly<Record<string, Raw>>;

/** What a date control holds while only a part of the date is typed in: the browser does not tell which part. */
export const INCOMPLETE = '\u2026';
