import type { JsonValue } from '../../../src/core/messages/json.ts';
import { below } from './field.ts';

/** What is wrong with the members of a field, by the steps that lead to each. */
export type Inner = readonly { readonly step: string | number; readonly checked: Wrong }[];

interface Wrong {
  readonly ok: false;
  readonly error: string;
  /** Where it is, for a field that holds others. */
  readonly inner?: Inner;
}

/** A field's value; `value` is absent where the field is left out of the answer. Or what is wrong, for a person. */
export type Checked = { readonly ok: true; readonly value?: JsonValue } | Wrong;

/** The field is left out of the answer. */
export const absent: Checked = { ok: true };

/** The field is wrong by itself. */
export function wrong(error: string): Wrong {
  return { ok: false, error };
}

/** The field has a value. */
export function right(value: JsonValue): Checked {
  return { ok: true, value };
}

/** What is wrong with a field at `path`, where it is. */
export function errorsAt(path: string, { error, inner }: Wrong): (readonly [path: string, error: string])[] {
  return inner
    ? inner.flatMap(({ step, checked }) => errorsAt(below(path, step), checked))
    : [[path, error] as const];
}
