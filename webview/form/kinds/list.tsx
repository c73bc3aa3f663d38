import { keywordsOf } from '../../../src/core/form/field-kind.ts';
import type { ListProperty } from '../../../src/core/form/kinds/list.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { t } from '../../parts/l10n.ts';
import type { NestedProps } from '../controls/control.ts';
import { Rows } from '../controls/rows.tsx';
import { absent, allOf, type Checked, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { below, type Keywords, type Raw, rowsOf, type SomeField } from '../field/field.ts';
import type { Fields } from '../field/fields.ts';
import { isNumber } from '../field/is.ts';

/** Any number of things of one kind, a row for each. */
export interface ListField extends SomeField, Keywords<ListProperty, 'minItems' | 'maxItems'> {
  readonly kind: 'list';
  readonly item: SomeField;
}

/** Any number of things of one kind. */
export const listField: ControlKind<ListField> = {
  of(schema, { cannotBeLeftOut, isDeepest, row }) {
    const { type, items, prefixItems } = schema;
    if (type !== 'array' || !isObject(items) || cannotBeLeftOut || prefixItems !== undefined || isDeepest)
      return undefined;
    const item = row(items);
    if (item.kind === 'json' || item.kind === 'boolean' || item.nullable) return undefined;
    return { kind: 'list', item, ...keywordsOf(schema, isNumber, 'minItems', 'maxItems') };
  },
  raw: ({ item }, value, { rawOf, blankOf }) =>
    Array.isArray(value) ? value.map((one) => rawOf(item, one) ?? blankOf(item)) : undefined,
  check,
  blank: () => [],
  typed: ({ item }, raw, { typedInto }) => rowsOf(raw).flatMap((row) => typedInto(item, row) ?? []),
  holds: ({ item }, value, { holds }) => Array.isArray(value) && value.every((row) => holds(item, row)),
  isGroup: true,
  Control: ListControl,
};

/** Rows that are left empty do not count. */
function check(field: ListField, raw: Raw, { validateField }: Fields): Checked {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  const rows = [...rowsOf(raw).entries()].filter(([, row]) => row !== '');
  // Emptied by hand, an optional field says “none” where that is allowed, and nothing where it is not.
  if (rows.length === 0 && !field.required && (raw === undefined || minItems > 0)) return absent;
  if (rows.length < minItems) {
    return wrong(minItems === 1 ? t('Add at least one item.') : t('Add at least {0} items.', minItems));
  }
  if (rows.length > maxItems) return wrong(t('Choose at most {1} (now {0}).', rows.length, maxItems));
  return allOf(
    rows.map(([step, row]) => ({ step, checked: validateField(field.item, row) })),
    (values) => values.flatMap(([, value]) => (value === undefined ? [] : [value])),
  );
}

/** Any number of things of one kind, a row for each. */
function ListControl({ field, head, state, path, raw, fields, draw, onChange }: NestedProps<ListField>) {
  const rows = rowsOf(raw);
  return (
    <Rows
      head={head}
      title={field.title}
      rows={rows}
      blank={fields.blankOf(field.item)}
      most={field.maxItems}
      disabled={state.disabled}
      draw={(row, at) =>
        draw({
          field: { ...field.item, name: String(at), title: t('{0} {1}', field.title, at + 1) },
          path: below(path, at),
          raw: row,
          bare: true,
          onChange: (next) => onChange(rows.with(at, next ?? '')),
        })
      }
      onChange={onChange}
      {...(field.item.kind === 'string' && { split: linesOf })}
    />
  );
}

function linesOf(text: string): string[] {
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
