import type { MultiSelectProperty, TitledConst } from '../../../src/core/form/kinds/choices.ts';
import type { ListProperty } from '../../../src/core/form/kinds/list.ts';
import type { NumberProperty } from '../../../src/core/form/kinds/number.ts';
import type { StringProperty } from '../../../src/core/form/kinds/text.ts';
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
  /** The heading of the page it is on, in a form of several. */
  readonly page?: string | undefined;
}

/** The keywords of a property that its field has, too. */
type Keywords<Property, Name extends keyof Property> = {
  readonly [K in Name]?: Property[K] | undefined;
};

/** Free text. */
export interface TextField
  extends FieldBase,
    Keywords<
      StringProperty,
      'format' | 'minLength' | 'maxLength' | 'multiline' | 'placeholder' | 'pick' | 'noteOn'
    > {
  readonly kind: 'string';
  /** A regular expression (parameters only). */
  readonly pattern?: string | undefined;
}

/** A number or a whole number. */
export interface NumberField
  extends FieldBase,
    Keywords<NumberProperty, 'minimum' | 'maximum' | 'placeholder'> {
  readonly kind: 'number' | 'integer';
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** Yes or no. */
export interface BooleanField extends FieldBase {
  readonly kind: 'boolean';
}

/** Something to choose. */
export interface Choice extends Keywords<TitledConst, 'description' | 'recommended' | 'preview'> {
  /** Tells choices apart, and is what a draft holds. */
  readonly id: string;
  readonly title: string;
  readonly value: JsonValue;
}

/** One of some choices. */
export interface SingleField extends FieldBase {
  readonly kind: 'single';
  readonly choices: readonly Choice[];
  /** Words of one's own answer it, too: its control holds them behind {@link OWN}. */
  readonly other?: boolean | undefined;
}

/** Any number of choices. */
export interface MultiField
  extends FieldBase,
    Keywords<MultiSelectProperty, 'minItems' | 'maxItems' | 'ordered'> {
  readonly kind: 'multi';
  readonly choices: readonly Choice[];
}

/** Any number of things of one kind, a row for each. */
export interface ListField extends FieldBase, Keywords<ListProperty, 'minItems' | 'maxItems'> {
  readonly kind: 'list';
  readonly item: Field;
}

/** An object of known members (parameters only). */
export interface GroupField extends FieldBase {
  readonly kind: 'group';
  readonly fields: readonly Field[];
}

/** An object whose members the person names (parameters only). */
export interface RecordField extends FieldBase {
  readonly kind: 'record';
  readonly value: Field;
}

/** Whatever the other kinds cannot express: JSON as text. */
export interface JsonField extends FieldBase {
  readonly kind: 'json';
  readonly schema: JsonSchema;
}

/** One field of a form. */
export type Field =
  | TextField
  | NumberField
  | BooleanField
  | SingleField
  | MultiField
  | ListField
  | GroupField
  | RecordField
  | JsonField;

/**
 * What a control holds, valid or not: the text as typed, a tick, the ids of what is chosen, the rows of a list, the members
 * of a group, the `{ key, value }` pairs of a record. `undefined` is a field that nobody touched and that has no default.
 */
export type Raw = string | boolean | readonly Raw[] | RawValues | undefined;

/** Controls by field name. */
export interface RawValues {
  readonly [name: string]: Raw;
}

/** What a date control holds while only a part of the date is typed in: the browser does not tell which part. */
export const INCOMPLETE = '\u2026';

/** What a choice holds before words of one's own: no id of a choice begins so. */
export const OWN = '\u001d';

/** The words of one's own that a choice holds; nothing where it holds a choice. */
export function ownWords(raw: unknown): string | undefined {
  return typeof raw === 'string' && raw.startsWith(OWN) ? raw.slice(OWN.length) : undefined;
}

/** The rows of a list or the ids of what is chosen. */
export function rowsOf(raw: Raw): readonly Raw[] {
  return Array.isArray(raw) ? raw : [];
}

/** The members of a group or of a pair. */
export function membersOf(raw: Raw): RawValues | undefined {
  return typeof raw === 'object' && !Array.isArray(raw) ? (raw as RawValues) : undefined;
}

/** Is it a field that nobody has put anything into? */
export function isBlank(raw: Raw): boolean {
  if (raw === undefined || raw === '') return true;
  return typeof raw === 'object' && Object.values(raw).every(isBlank);
}

// A character that no property's name has in practice.
const STEP = '\u001f';

/** Where a member of a field is: its path is unique in its form. */
export function below(path: string, step: string | number): string {
  return `${path}${STEP}${step}`;
}

/** The name of the field of the form that a path leads into. */
export function topOf(path: string): string {
  return path.split(STEP, 1)[0] ?? '';
}
