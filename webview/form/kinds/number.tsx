import { isString, keywordsOf } from '../../../src/core/form/field-kind.ts';
import type { NumberProperty } from '../../../src/core/form/kinds/number.ts';
import { t } from '../../parts/l10n.ts';
import { type ControlProps, shownText } from '../controls/control.ts';
import { type Checked, emptied, right, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import type { Keywords, SomeField } from '../field/field.ts';
import { isNumber } from '../field/is.ts';
import { range } from '../field/limits.ts';

/** A number or a whole number. */
export interface NumberField
  extends SomeField,
    Keywords<NumberProperty, 'minimum' | 'maximum' | 'placeholder'> {
  readonly kind: 'number' | 'integer';
  readonly exclusiveMinimum?: number | undefined;
  readonly exclusiveMaximum?: number | undefined;
  readonly multipleOf?: number | undefined;
}

/** A number or a whole number. */
export const numberField: ControlKind<NumberField> = {
  of: (schema) =>
    schema.type === 'number' || schema.type === 'integer'
      ? {
          kind: schema.type,
          ...keywordsOf(
            schema,
            isNumber,
            'minimum',
            'maximum',
            'exclusiveMinimum',
            'exclusiveMaximum',
            'multipleOf',
          ),
          ...keywordsOf(schema, isString, 'placeholder'),
        }
      : undefined,
  raw: (_, value) => (typeof value === 'number' ? String(value) : undefined),
  check: (field, raw) => numeric(field, typeof raw === 'string' ? raw.trim() : ''),
  hint: ({ minimum, maximum }) =>
    range(safe(minimum), safe(maximum), {
      both: (from, to) => t('{0} to {1}', from, to),
      least: (from) => t('At least {0}', from),
      most: (to) => t('At most {0}', to),
    }),
  Control: NumberControl,
};

/** A number as text: what is half typed stays, the wheel changes nothing, and the error is ours to word. */
function NumberControl({ field, head, state, raw, onChange }: ControlProps<NumberField>) {
  const signed = (field.minimum ?? field.exclusiveMinimum ?? -1) < 0;
  return (
    <input
      {...head}
      {...state}
      className="input input-short"
      inputMode={signed ? 'text' : field.kind === 'integer' ? 'numeric' : 'decimal'}
      placeholder={field.placeholder}
      value={shownText(raw)}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function numeric(field: NumberField, raw: string): Checked {
  if (raw === '')
    return emptied(field, field.kind === 'integer' ? t('Enter a whole number.') : t('Enter a number.'));
  const value = numberOf(raw);
  if (!Number.isFinite(value)) {
    return wrong(
      field.kind === 'integer' ? t('Enter a whole number, such as 3.') : t('Enter a number, such as 1.5.'),
    );
  }
  if (field.kind === 'integer' && !Number.isInteger(value)) return wrong(t('Enter a whole number.'));
  if (field.minimum !== undefined && value < field.minimum)
    return wrong(t('Enter {0} or more.', field.minimum));
  if (field.maximum !== undefined && value > field.maximum)
    return wrong(t('Enter {0} or less.', field.maximum));
  const { exclusiveMinimum, exclusiveMaximum, multipleOf } = field;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return wrong(t('Enter more than {0}.', exclusiveMinimum));
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return wrong(t('Enter less than {0}.', exclusiveMaximum));
  }
  if (multipleOf && !isMultiple(value, multipleOf)) return wrong(t('Enter a multiple of {0}.', multipleOf));
  return right(Object.is(value, -0) ? 0 : value);
}

function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  return Math.abs(times - Math.round(times)) < 1e-9 * Math.max(1, Math.abs(times));
}

/** Generators write the limits of a double where nobody set one. */
function safe(limit: number | undefined): number | undefined {
  return limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** The digits, signs and full stop that a Japanese or Chinese keyboard writes, each as wide as a letter of theirs. */
const WIDE = /[\uFF0B\uFF0D-\uFF0E\uFF10-\uFF19]/g;
const WIDER_BY = 0xfee0;

/** What a person writes for a number, also in wide digits or with the minus sign of a text; `NaN` for what is none. */
function numberOf(text: string): number {
  const plain = text
    .replace(WIDE, (wide) => String.fromCharCode(wide.charCodeAt(0) - WIDER_BY))
    .replace(/^\u2212/, '-');
  return NUMBER.test(plain) ? Number(plain) : Number.NaN;
}
