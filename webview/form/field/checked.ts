import type { JsonValue } from '../../../src/core/messages/json.ts';
import { t } from '../../parts/l10n.ts';
import { below, type SomeField } from './field.ts';

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

/** Nothing is in the field. */
export function emptied(
  { required, nullable, title }: SomeField,
  error = t('{0} is required.', title),
): Checked {
  if (!required) return absent;
  return nullable ? right(null) : wrong(error);
}

/** All values together, or what is wrong with each. */
export function allOf(
  parts: readonly { readonly step: string | number; readonly checked: Checked }[],
  join: (values: (readonly [string, JsonValue | undefined])[]) => JsonValue,
): Checked {
  const inner: Inner = parts.flatMap(({ step, checked }) => (checked.ok ? [] : [{ step, checked }]));
  const [first] = inner;
  if (first) return { ok: false, error: first.checked.error, inner };
  return right(
    join(parts.map(({ step, checked }) => [String(step), checked.ok ? checked.value : undefined] as const)),
  );
}
