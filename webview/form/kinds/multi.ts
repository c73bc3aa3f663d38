import { keywordsOf } from '../../../src/core/form/field-kind.ts';
import { isObject } from '../../../src/core/schema/is-object.ts';
import { t } from '../../parts/l10n.ts';
import { choicesOf, idOfChoice } from '../controls/choices/choice.ts';
import { MultiControl, type MultiField } from '../controls/choices/multi-control.tsx';
import { absent, type Checked, right, wrong } from '../field/checked.ts';
import type { ControlKind } from '../field/control-kind.ts';
import { type Raw, rowsOf } from '../field/field.ts';
import { isBoolean, isNumber } from '../field/is.ts';
import { atLeast, range } from '../field/limits.ts';

/** Any number of choices. */
export const multiField: ControlKind<MultiField> = {
  of(schema, { cannotBeLeftOut, simple }) {
    const { type, items, prefixItems } = schema;
    if (type !== 'array' || !isObject(items) || cannotBeLeftOut || prefixItems !== undefined)
      return undefined;
    const choices = choicesOf(simple(items));
    return (
      choices && {
        kind: 'multi',
        choices,
        ...keywordsOf(schema, isNumber, 'minItems', 'maxItems'),
        ...keywordsOf(schema, isBoolean, 'ordered'),
      }
    );
  },
  raw: ({ choices }, value) =>
    Array.isArray(value) ? value.flatMap((item) => idOfChoice(choices, item) ?? []) : undefined,
  check: (field, raw) => multi(field, Array.isArray(raw) ? raw : undefined),
  hint({ minItems = 0, maxItems, required }) {
    if (minItems > 0 && minItems === maxItems) return t('Choose {0}', minItems);
    // That one has to be chosen is what “required” says.
    return range(atLeast(required && maxItems === undefined ? 2 : 1, minItems), maxItems, {
      both: (from, to) => t('Choose {0} to {1}', from, to),
      least: (from) => t('Choose at least {0}', from),
      most: (to) => t('Choose at most {0}', to),
    });
  },
  blank: () => [],
  typed: ({ choices }, raw) => choices.flatMap(({ id, value }) => (rowsOf(raw).includes(id) ? [value] : [])),
  holds: ({ choices }, value) =>
    Array.isArray(value) && value.every((item) => idOfChoice(choices, item) !== undefined),
  isGroup: true,
  Control: MultiControl,
};

function multi(field: MultiField, raw: readonly Raw[] | undefined): Checked {
  const among = field.choices.filter((choice) => raw?.includes(choice.id));
  const chosen = field.ordered ? (raw ?? []).flatMap((id) => among.filter((one) => one.id === id)) : among;
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = field;
  // Emptied by hand, an optional field says “none” where that is allowed, and nothing where it is not.
  if (chosen.length === 0 && !field.required && (raw === undefined || minItems > 0)) return absent;
  if (chosen.length < minItems) {
    return wrong(minItems === 1 ? t('Choose at least one.') : t('Choose at least {0}.', minItems));
  }
  if (chosen.length > maxItems) {
    return wrong(maxItems === 1 ? t('Choose only one.') : t('Choose at most {0}.', maxItems));
  }
  return right(chosen.map((choice) => choice.value));
}
