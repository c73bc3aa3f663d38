import type { JsonObject, JsonValue } from '../../../src/core/messages/json.ts';
import type { Checked } from './checked.ts';
import type { Raw, RawValues, SomeField } from './field.ts';

/** What can be asked of a field, whatever its kind: kinds that hold other fields are given it. */
export interface Fields {
  /** What its control holds for a value: the inverse of `check`. */
  rawOf(field: SomeField, value: JsonValue | undefined): Raw;
  /** What the controls of several hold at first: `values`, and the defaults where it has none. */
  initialRaw(fields: readonly SomeField[], values?: JsonObject): RawValues;
  /** What a new row of it holds. */
  blankOf(field: SomeField): Raw;
  /**
   * What it answers for what its control holds. Courtesy, not security: the session checks the answer with the original zod schema, and
   * asks again where the two disagree.
   */
  validateField(field: SomeField, raw: Raw): Checked;
  /** What a person has put into several as an object: valid or not, nothing that was typed is missing. */
  typedIn(fields: readonly SomeField[], raw: RawValues): JsonObject;
  typedInto(field: SomeField, raw: Raw): JsonValue | undefined;
  /** The members of an object that a form of these fields would lose. */
  namesLost(fields: readonly SomeField[], values: JsonObject): string[];
  /** Can its control hold this value? It need not be valid. */
  holds(field: SomeField, value: JsonValue): boolean;
}
