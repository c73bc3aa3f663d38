import type { JsonValue } from '../../../src/core/messages/json.ts';
import { t } from '../../parts/l10n.ts';
import { absent, type Checked, type Inner, right, wrong } from './checked.ts';
import {
  type Field,
  type GroupField,
  isBlank,
  type ListField,
  membersOf,
  type Raw,
  type RecordField,
  rowsOf,
} from './field.ts';
import { initialRaw } from './raw-of.ts';

/** Checks one field; the kinds that hold others are given it. */
type Check = (field: Field, raw: Raw) => Checked;

/** Rows that are left empty do not count. */
export function list(field: ListField, raw: Raw, check: Check): Checked {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  const rows = [...rowsOf(raw).entries()].filter(([, row]) => row !== '');
  // Emptied by hand, an optional field says “none” where that is allowed, and nothing where it is not.
  if (rows.length === 0 && !field.required && (raw === undefined || minItems > 0)) return absent;
  if (rows.length < minItems) {
    return wrong(minItems === 1 ? t('Add at least one item.') : t('Add at least {0} items.', minItems));
  }
  if (rows.length > maxItems) return wrong(t('Choose at most {1} (now {0}).', rows.length, maxItems));
  return joined(
    rows.map(([step, row]) => ({ step, checked: check(field.item, row) })),
    (values) => values.flatMap(([, value]) => (value === undefined ? [] : [value])),
  );
}

/** An optional group that nobody touched, or that is all empty, is left out. */
export function group(field: GroupField, raw: Raw, check: Check): Checked {
  const members = membersOf(raw);
  if (!field.required && (members === undefined || isBlank(members))) return absent;
  const held = members ?? initialRaw(field.fields);
  return joined(
    field.fields.map((member) => ({ step: member.name, checked: check(member, held[member.name]) })),
    (values) =>
      Object.fromEntries(values.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined)),
  );
}

/** Pairs that are empty on both sides do not count. */
export function record(field: RecordField, raw: Raw, check: Check): Checked {
  const pairs = [...rowsOf(raw).entries()].flatMap(([step, row]) => {
    const pair = membersOf(row) ?? {};
    return isBlank(pair) ? [] : [{ step, key: String(pair.key ?? ''), value: pair.value }];
  });
  if (pairs.length === 0 && !field.required) return absent;
  const keys = pairs.map(({ key }) => key);
  return joined(
    pairs.map(({ step, key, value }, at) => ({
      step,
      checked:
        key === ''
          ? wrong(t('Enter a name.'))
          : keys.indexOf(key) < at
            ? wrong(t('“{0}” already exists.', key))
            : check(field.value, value),
    })),
    (values) => Object.fromEntries(values.map(([, value], at) => [keys[at] ?? '', value ?? null])),
  );
}

/** All values together, or what is wrong with each. */
function joined(
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
