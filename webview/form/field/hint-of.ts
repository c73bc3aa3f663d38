import { isObject } from '../../../src/core/schema/is-object.ts';
import { t } from '../../parts/l10n.ts';
import { zoneName } from './dates.ts';
import type { Field } from './field.ts';

/** A field's limits in words, for below the control: “1 to 9”, “at most 80 characters”. */
export function hintOf(field: Field): string | undefined {
  switch (field.kind) {
    case 'string':
      if (field.format === 'date-time') return t('Your time ({0})', zoneName());
      // One character is what “required” says, and an optional field may stay empty.
      return range(atLeast(2, field.minLength), field.maxLength, {
        both: (from, to) => t('{0} to {1} characters', from, to),
        least: (from) => t('At least {0} characters', from),
        most: (to) => (to === 1 ? t('One character') : t('At most {0} characters', to)),
      });
    case 'number':
    case 'integer':
      return range(safe(field.minimum), safe(field.maximum), {
        both: (from, to) => t('{0} to {1}', from, to),
        least: (from) => t('At least {0}', from),
        most: (to) => t('At most {0}', to),
      });
    case 'multi': {
      const { minItems = 0, maxItems } = field;
      if (minItems > 0 && minItems === maxItems) return t('Choose {0}', minItems);
      // That one has to be chosen is what “required” says.
      return range(atLeast(field.required && maxItems === undefined ? 2 : 1, minItems), maxItems, {
        both: (from, to) => t('Choose {0} to {1}', from, to),
        least: (from) => t('Choose at least {0}', from),
        most: (to) => t('Choose at most {0}', to),
      });
    }
    case 'json': {
      const names = isObject(field.schema.properties) ? Object.keys(field.schema.properties) : [];
      return names.length > 0 ? t('JSON with {0}', names.join(', ')) : 'JSON';
    }
    default:
      return undefined;
  }
}

function atLeast(least: number, limit = 0): number | undefined {
  return limit >= least ? limit : undefined;
}

/** Generators write the limits of a double where nobody set one. */
function safe(limit: number | undefined): number | undefined {
  return limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER ? limit : undefined;
}

/** Limits in whole sentences, as languages differ in where the numbers go. */
interface RangeTexts {
  both(from: number, to: number): string;
  least(from: number): string;
  most(to: number): string;
}

function range(from: number | undefined, to: number | undefined, texts: RangeTexts): string | undefined {
  if (from !== undefined && to !== undefined) return texts.both(from, to);
  if (from !== undefined) return texts.least(from);
  return to === undefined ? undefined : texts.most(to);
}
