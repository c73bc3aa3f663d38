import type { JsonObject } from '../../../src/core/messages/json.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { t } from '../../parts/l10n.ts';
import { type NestedProps, shownText } from '../controls/control.ts';
import { Rows } from '../controls/rows.tsx';
import { absent, allOf, type Checked, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { below, isBlank, membersOf, type Raw, rowsOf, type SomeField } from '../field/field.ts';
import type { Fields } from '../field/fields.ts';

/** An object whose members the person names (parameters only). */
export interface RecordField extends SomeField {
  readonly kind: 'record';
  readonly value: SomeField;
}

/** An object whose members the person names. */
export const recordField: ControlKind<RecordField> = {
  of({ type, properties, additionalProperties: more, propertyNames }, { cannotBeLeftOut, isDeepest, row }) {
    if (type !== 'object' || isDeepest || cannotBeLeftOut || properties !== undefined) return undefined;
    // Keys that have rules of their own are JSON.
    const rules = isObject(propertyNames) ? Object.keys(propertyNames) : [];
    if (!(more === true || isObject(more)) || rules.some((keyword) => keyword !== 'type')) return undefined;
    const value = row(more);
    return value.kind === 'json' ? undefined : { kind: 'record', value };
  },
  raw: (field, value, { rawOf }) =>
    isObject(value)
      ? Object.entries(value as JsonObject).map(([key, one]) => ({ key, value: rawOf(field.value, one) }))
      : undefined,
  check,
  blank: () => [],
  typed: (field, raw, { typedInto }) =>
    Object.fromEntries(
      rowsOf(raw).map((row) => {
        const { key, value } = membersOf(row) ?? {};
        return [String(key ?? ''), typedInto(field.value, value) ?? null];
      }),
    ),
  holds: (field, value, { holds }) =>
    isObject(value) &&
    Object.values(value as JsonObject).every((one) => one !== undefined && holds(field.value, one)),
  isGroup: true,
  Control: RecordControl,
};

/** Pairs that are empty on both sides do not count. */
function check(field: RecordField, raw: Raw, { validateField }: Fields): Checked {
  const pairs = [...rowsOf(raw).entries()].flatMap(([step, row]) => {
    const pair = membersOf(row) ?? {};
    return isBlank(pair) ? [] : [{ step, key: String(pair.key ?? ''), value: pair.value }];
  });
  if (pairs.length === 0 && !field.required) return absent;
  const keys = pairs.map(({ key }) => key);
  return allOf(
    pairs.map(({ step, key, value }, at) => ({
      step,
      checked:
        key === ''
          ? wrong(t('Enter a name.'))
          : keys.indexOf(key) < at
            ? wrong(t('“{0}” already exists.', key))
            : validateField(field.value, value),
    })),
    (values) => Object.fromEntries(values.map(([, value], at) => [keys[at] ?? '', value ?? null])),
  );
}

/** An object whose members the person names: pairs of a name and a value. */
function RecordControl({ field, head, state, path, raw, fields, draw, onChange }: NestedProps<RecordField>) {
  const pairs = rowsOf(raw);
  return (
    <Rows
      head={head}
      title={field.title}
      rows={pairs}
      blank={{ key: '', value: fields.blankOf(field.value) }}
      disabled={state.disabled}
      draw={(row, at) => {
        const pair = membersOf(row) ?? {};
        return (
          <>
            <input
              className="input list-key"
              data-control
              dir="auto"
              disabled={state.disabled}
              placeholder={t('Name')}
              aria-label={t('{0} {1}: name', field.title, at + 1)}
              value={shownText(pair.key)}
              onChange={(event) => onChange(pairs.with(at, { ...pair, key: event.currentTarget.value }))}
            />
            {draw({
              field: { ...field.value, name: String(at), title: t('{0} {1}: value', field.title, at + 1) },
              path: below(path, at),
              raw: pair.value,
              bare: true,
              onChange: (next) => onChange(pairs.with(at, { ...pair, value: next ?? '' })),
            })}
          </>
        );
      }}
      onChange={onChange}
    />
  );
}
