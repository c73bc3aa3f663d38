import type { ReactElement } from 'react';
import type { JsonSchema, JsonValue } from '../../../src/core/messages/json.ts';
import type { NestedProps } from '../controls/control.ts';
import type { Checked } from './checked.ts';
import type { Raw, SomeField } from './field.ts';
import type { Fields } from './fields.ts';

/** A kind of field: all that the page knows of it. */
export interface ControlKind<F extends SomeField> {
  /** The field for a schema, without what all fields have; nothing where it is of another kind. */
  of(schema: JsonSchema, place: Place): (Omit<F, keyof SomeField> & Pick<F, 'kind'>) | undefined;
  /** What its control holds for a value; nothing where it cannot hold it. */
  raw(field: F, value: JsonValue, fields: Fields): Raw;
  /** What it answers. */
  check(field: F, raw: Raw, fields: Fields): Checked;
  /** Its limits in words, for below the control: “1 to 9”, “at most 80 characters”. */
  hint?(field: F): string | undefined;
  /** What a new row of it holds; its default where nothing is said. */
  blank?(field: F, fields: Fields): Raw;
  /** It in a row of a list; as it is where nothing is said. */
  inRow?(field: F): F;
  /** What was put in and is not valid; the text where nothing is said. */
  typed?(field: F, raw: Raw, fields: Fields): JsonValue | undefined;
  /** Whether its control can hold a value; by what `raw` gives where nothing is said. */
  holds?(field: F, value: JsonValue, fields: Fields): boolean;
  /** Its control is a group, which cannot say by itself that it is required. */
  readonly isGroup?: true;
  Control(props: NestedProps<F>): ReactElement;
}

/** Where a field is in its form. */
export interface Place {
  readonly required: boolean;
  readonly nullable: boolean;
  /** Rows and groups cannot say `null`; they can be left out, where that may be. */
  readonly cannotBeLeftOut: boolean;
  /** It may hold no others. */
  readonly isDeepest: boolean;
  /** Of a schema within this one, what it is once references are followed. */
  simple(schema: JsonSchema): JsonSchema;
  /** The field of a member. */
  inner(schema: unknown, name: string, required: boolean): SomeField;
  /** What stands in a row: a text of one line, unless its author says otherwise. */
  row(schema: unknown): SomeField;
}
